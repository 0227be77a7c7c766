//! The three people who sign in at the demo provider.

use domain::models::Role;

/// A person with the one role that they have in the demo tenant.
#[derive(Debug, Clone, Copy)]
pub(crate) struct DemoPerson {
    /// The person's name at the provider, which never changes.
    pub(crate) subject: &'static str,
    /// The id as a member; a constant, so that the member is found again.
    pub(crate) member_id: &'static str,
    /// The name, for colleagues.
    pub(crate) name: &'static str,
    /// The address, of a domain that nobody has.
    pub(crate) email: &'static str,
    /// The role of the person.
    pub(crate) role: Role,
    /// The duty of that role, in a phrase for the page.
    pub(crate) duty: &'static str,
}

/// Everybody, in the order of the page.
pub(crate) const PEOPLE: [DemoPerson; 3] = [
    DemoPerson {
        subject: "demo-agent",
        member_id: "mem_0000000000000000000000DEM1",
        name: "Bea Agent",
        email: "agent@demo.example",
        role: Role::Agent,
        duty: "answers customers",
    },
    DemoPerson {
        subject: "demo-trainer",
        member_id: "mem_0000000000000000000000DEM2",
        name: "Tom Trainer",
        email: "trainer@demo.example",
        role: Role::Trainer,
        duty: "writes the knowledge base",
    },
    DemoPerson {
        subject: "demo-admin",
        member_id: "mem_0000000000000000000000DEM3",
        name: "Ada Admin",
        email: "admin@demo.example",
        role: Role::Admin,
        duty: "may do everything",
    },
];

impl DemoPerson {
    /// The name that customers see: the first word.
    pub(crate) fn public_name(&self) -> &'static str {
        self.name.split(' ').next().unwrap_or(self.name)
    }

    /// The person of this subject.
    pub(super) fn of(subject: &str) -> Option<&'static Self> {
        PEOPLE.iter().find(|person| person.subject == subject)
    }
}
