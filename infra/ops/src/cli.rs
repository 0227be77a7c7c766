//! The command line.

use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand, ValueEnum};
use domain::limits::member_email;
use domain::models::{ApiKeyId, Mode, Plan, Role, SensitiveSetting, Timestamp, Visibility};
use text::WireEnum;

/// Operates the Support Assistant Service: a deployed stack, or the data folder of a local service.
#[derive(Debug, Parser)]
#[command(name = "ops", version, about, after_help = AFTER)]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) global: Global,
    #[command(subcommand)]
    pub(crate) command: Command,
}

const AFTER: &str = "Exit codes: 0 done, 1 failed, 2 wrong arguments, 3 not found, 4 refused in the present state, \
5 the service cannot be reached, 6 something to repair was found. docs/OPERATIONS.md describes every command.";

/// Options of every command, before or after its name.
#[derive(Debug, Args)]
pub(crate) struct Global {
    /// The data folder of a local service, running or not
    #[arg(long, value_name = "DIR", global = true, conflicts_with = "stack")]
    pub(crate) data: Option<PathBuf>,
    /// The CloudFormation stack of a deployed service, in the account and region of the AWS configuration
    #[arg(long, value_name = "NAME", global = true)]
    pub(crate) stack: Option<String>,
    /// Print JSON
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// Do what deletes or replaces something; without it a command says what it would do
    #[arg(long, global = true)]
    pub(crate) yes: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Create, list, change and delete tenants
    #[command(subcommand)]
    Tenant(TenantCommand),
    /// Create, list and revoke API keys
    #[command(subcommand)]
    Key(KeyCommand),
    /// Add, list, invite, change and remove the people of a tenant
    #[command(subcommand)]
    Member(MemberCommand),
    /// Show who changed access to a tenant and its data, newest first
    Audit {
        /// The tenant's id or name
        tenant: String,
        /// The most entries to show
        #[arg(long, value_name = "NUMBER", default_value_t = 100, value_parser = clap::value_parser!(u16).range(1..=10_000))]
        limit: u16,
    },
    /// Show, repeat and discard what could not be handled
    #[command(subcommand)]
    DeadLetters(DeadLettersCommand),
    /// Index a tenant's wiki again in the background, or rebuild the index of all tenants
    Reindex {
        /// The tenant's id or name; without one the index of all tenants is rebuilt under this version's mapping
        tenant: Option<String>,
        /// Which half of the tenant's data
        #[arg(long, default_value = "live", value_parser = choice::<Mode>())]
        mode: Mode,
    },
    /// Compare a tenant's counters with its sessions
    Recount {
        /// The tenant's id or name
        tenant: String,
        /// Which half of the tenant's data
        #[arg(long, default_value = "live", value_parser = choice::<Mode>())]
        mode: Mode,
        /// Days up to today
        #[arg(long, default_value_t = 90, value_parser = clap::value_parser!(u32).range(1..=3650))]
        days: u32,
        /// Add what the counters lack
        #[arg(long)]
        fix: bool,
    },
    /// Write a tenant's data to a file of JSON Lines, without keys and secrets
    Export {
        /// The tenant's id or name
        tenant: String,
        /// The new file; only its owner may read it
        file: PathBuf,
    },
    /// Check an export and show what it would bring; with --yes read it into a tenant without data; a repetition continues
    Import {
        /// The tenant's id or name
        tenant: String,
        /// The file
        file: PathBuf,
        /// A setting to take from the file, which otherwise stays the tenant's: answerVisibility, widgetAnswerVisibility or
        /// retentionDays; may be repeated
        #[arg(long, value_name = "SETTING", value_parser = staying_setting)]
        take: Vec<SensitiveSetting>,
    },
    /// A wiki as a folder of Markdown files, by SUPPORT_API_URL and SUPPORT_API_KEY, or the demo of --data DIR
    #[command(subcommand)]
    Wiki(WikiCommand),
    /// Show a tenant's events as they happen, and forward them, signed; the same API and key as `wiki`
    Listen(ListenOptions),
    /// Look for known faults, and say what to do about each
    Doctor,
    /// Restore the stack's table as it was at a moment, under a new name
    Restore {
        /// The moment, such as 2026-11-22T10:00:00Z; by default the latest that AWS can restore
        #[arg(long, value_name = "TIME", value_parser = timestamp)]
        at: Option<Timestamp>,
        /// The new table's name
        #[arg(long, value_name = "NAME")]
        table: String,
    },
    /// The signing keys of widget tokens
    #[command(subcommand)]
    WidgetKey(WidgetKeyCommand),
    /// The signing key of desk tokens
    #[command(subcommand)]
    DeskKey(DeskKeyCommand),
}

#[derive(Debug, Subcommand)]
pub(crate) enum WikiCommand {
    /// Show how the folder differs from the service; with --yes write the service's entries into it
    Pull(WikiOptions),
    /// Show how the service differs from the folder; with --yes write the folder's entries into it
    Push(WikiOptions),
    /// Show what the articles of another help desk's export are in the folder; with --yes write them into it, for push
    Import(ImportOptions),
}

/// Which export, and where its articles go.
#[derive(Debug, Args)]
pub(crate) struct ImportOptions {
    /// Whose export
    #[arg(value_enum)]
    pub(crate) format: ExportFormat,
    /// The export
    pub(crate) file: PathBuf,
    /// The folder
    pub(crate) dir: PathBuf,
    /// How the paths of its entries begin
    #[arg(long, value_name = "BEGINNING", default_value = "imported")]
    pub(crate) prefix: String,
    /// Who may read an article of which the export does not say it
    #[arg(long, default_value = "internal", value_parser = choice::<Visibility>())]
    pub(crate) visibility: Visibility,
    /// Replace files that differ
    #[arg(long)]
    pub(crate) overwrite: bool,
}

/// The form of an export.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ExportFormat {
    /// JSON of the help center's articles, with sections and categories
    Zendesk,
    /// JSON of the articles and collections
    Intercom,
    /// The archive of an export as Markdown & CSV
    Notion,
    /// An archive of Markdown files
    MarkdownZip,
}

/// Which entries, and what may be done to them.
#[derive(Debug, Args)]
pub(crate) struct WikiOptions {
    /// The folder
    pub(crate) dir: PathBuf,
    /// Only entries whose paths begin so
    #[arg(long, value_name = "BEGINNING", default_value = "")]
    pub(crate) prefix: String,
    /// Delete what the other side deleted
    #[arg(long)]
    pub(crate) delete: bool,
    /// Replace what changed on both sides, too
    #[arg(long)]
    pub(crate) overwrite: bool,
}

/// Which events, and where they go.
#[derive(Debug, Args)]
pub(crate) struct ListenOptions {
    /// Where each event is sent, such as http://localhost:3000/hooks
    #[arg(long, value_name = "URL")]
    pub(crate) forward: Option<String>,
    /// Their kinds, such as handover.requested,handover.claimed
    #[arg(long, value_delimiter = ',', value_name = "KINDS", default_value = "*")]
    pub(crate) events: Vec<String>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum DeskKeyCommand {
    /// Replace the key: no token is refused, and the old key ends within half an hour
    Rotate {
        /// End all other keys at once, and with them every token: for a key that somebody else may know
        #[arg(long)]
        revoke: bool,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum MemberCommand {
    /// Add a member and print the address of the invitation, this once
    Add {
        /// The tenant's id or name
        tenant: String,
        /// The member's address
        #[arg(value_parser = email)]
        email: String,
        /// The member's roles, such as agent,trainer
        #[arg(long, value_delimiter = ',', required = true, value_parser = member_role())]
        roles: Vec<Role>,
        /// The name, for colleagues; by default the part of the address before the @
        #[arg(long)]
        name: Option<String>,
        /// The name that customers see; by default the first word of the name
        #[arg(long)]
        public_name: Option<String>,
    },
    /// List a tenant's members
    List {
        /// The tenant's id or name
        tenant: String,
    },
    /// Print the address of a new invitation, this once; the former one is void
    Invite {
        /// The tenant's id or name
        tenant: String,
        /// The member's id or address
        member: String,
    },
    /// Set what a member may do; the member's desk renews its token
    SetRoles {
        /// The tenant's id or name
        tenant: String,
        /// The member's id or address
        member: String,
        /// All of the member's roles, such as agent,trainer
        #[arg(value_delimiter = ',', required = true, value_parser = member_role())]
        roles: Vec<Role>,
    },
    /// Refuse a member from the next request on; claims go back to the queue
    Suspend {
        /// The tenant's id or name
        tenant: String,
        /// The member's id or address
        member: String,
    },
    /// Let a suspended member sign in again
    Resume {
        /// The tenant's id or name
        tenant: String,
        /// The member's id or address
        member: String,
    },
    /// Remove a member; claims go back to the queue
    Remove {
        /// The tenant's id or name
        tenant: String,
        /// The member's id or address
        member: String,
    },
    /// End all sign-ins of a member
    SignOut {
        /// The tenant's id or name
        tenant: String,
        /// The member's id or address
        member: String,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum DeadLettersCommand {
    /// List them
    List,
    /// Show one
    Show {
        /// As `list` names it
        id: String,
    },
    /// Handle one again, or all; one that fails again stays
    Replay {
        /// As `list` names it
        #[arg(required_unless_present = "all")]
        id: Option<String>,
        /// All of them
        #[arg(long, conflicts_with = "id")]
        all: bool,
    },
    /// Delete one
    Discard {
        /// As `list` names it
        id: String,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum WidgetKeyCommand {
    /// Show the names of the keys and the state of a rotation
    Show,
    /// Replace the signing key: the new one is verified everywhere before it signs
    Rotate {
        /// Return instead of waiting until every process knows the new key; a repetition continues
        #[arg(long)]
        no_wait: bool,
        /// End all other keys at once, and with them every token: for a key that somebody else may know
        #[arg(long, conflicts_with = "no_wait")]
        revoke: bool,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum TenantCommand {
    /// Create a tenant with a first live admin key, which is printed this once
    Create {
        /// Its name
        name: String,
        /// The plan that it pays for
        #[arg(long, default_value = "free", value_parser = choice::<Plan>())]
        plan: Plan,
    },
    /// List all tenants
    List,
    /// Set what a tenant pays for
    Plan {
        /// Id or name
        tenant: String,
        /// The plan
        #[arg(value_parser = choice::<Plan>())]
        plan: Plan,
    },
    /// Show a tenant's rate limits, or set one
    Limits {
        /// Id or name
        tenant: String,
        /// Which half of the tenant's data
        #[arg(long, default_value = "live", value_parser = choice::<Mode>())]
        mode: Mode,
        /// Requests a minute of all its widgets together
        #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
        widget_requests: Option<u32>,
    },
    /// Erase a tenant with all of its data
    Delete {
        /// Id or name
        tenant: String,
    },
    /// Refuse a tenant's keys and widget tokens; its data is kept
    Suspend {
        /// Id or name
        tenant: String,
    },
    /// Serve a suspended tenant again
    Resume {
        /// Id or name
        tenant: String,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum KeyCommand {
    /// Create an API key, which is printed this once
    Create {
        /// The tenant's id or name
        tenant: String,
        /// For people
        #[arg(long, default_value = "created by ops")]
        name: String,
        /// The role of the key
        #[arg(long, default_value = "admin", value_parser = choice::<Role>())]
        role: Role,
        /// Which half of the tenant's data it opens
        #[arg(long, default_value = "live", value_parser = choice::<Mode>())]
        mode: Mode,
        /// From this moment on it is refused, such as 2027-01-31T00:00:00Z
        #[arg(long, value_name = "TIME", value_parser = timestamp)]
        expires: Option<Timestamp>,
    },
    /// List a tenant's API keys, without the keys themselves
    List {
        /// The tenant's id or name
        tenant: String,
    },
    /// Revoke an API key; the next request with it is refused
    Revoke {
        /// The tenant's id or name
        tenant: String,
        /// The key's id
        #[arg(value_parser = key_id)]
        key: ApiKeyId,
    },
}

/// One of the wire names of an enum.
fn choice<T: WireEnum + Send + Sync>() -> impl TypedValueParser<Value = T> {
    let names = PossibleValuesParser::new(T::ALL.iter().map(|value| value.as_str()));
    names.try_map(|name| T::ALL.iter().copied().find(|value| value.as_str() == name).ok_or("unknown"))
}

/// One of the roles of a member: a member is no server.
fn member_role() -> impl TypedValueParser<Value = Role> {
    let roles = || Role::ALL.iter().copied().filter(|role| *role != Role::Integration);
    let names = PossibleValuesParser::new(roles().map(|role| role.as_str()));
    names.try_map(move |name| roles().find(|role| role.as_str() == name).ok_or("unknown"))
}

fn email(text: &str) -> Result<String, &'static str> {
    member_email::parse(text).map(|()| text.to_owned())
}

fn timestamp(text: &str) -> Result<Timestamp, &'static str> {
    Timestamp::parse(text).ok_or("not an RFC 3339 time, such as 2027-01-31T00:00:00Z")
}

fn staying_setting(text: &str) -> Result<SensitiveSetting, &'static str> {
    let staying = SensitiveSetting::parse(text).filter(|setting| setting.stays_in_imports());
    staying.ok_or("not answerVisibility, widgetAnswerVisibility or retentionDays")
}

fn key_id(text: &str) -> Result<ApiKeyId, &'static str> {
    ApiKeyId::parse(text).ok_or("not the id of an API key (key_…)")
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use clap::CommandFactory;
    use clap::error::ErrorKind;

    use super::*;

    #[test]
    fn the_command_line_is_consistent_and_takes_global_options_anywhere() {
        Cli::command().debug_assert();
        for arguments in [
            ["ops", "--data", "d", "--json", "tenant", "list"],
            ["ops", "tenant", "--json", "--data", "d", "list"],
            ["ops", "tenant", "list", "--data", "d", "--json"],
        ] {
            let cli = Cli::try_parse_from(arguments).unwrap();
            assert!(cli.global.json && cli.global.data.is_some() && matches!(cli.command, Command::Tenant(_)));
        }
        assert!(Cli::try_parse_from(["ops", "tenant", "list", "--data", "d", "--stack", "s"]).is_err());
    }

    const OPERATIONS: &str = include_str!("../../../docs/OPERATIONS.md");
    const DOCUMENTS: [(&str, &str); 5] = [
        ("docs/OPERATIONS.md", OPERATIONS),
        ("docs/RUNBOOK.md", include_str!("../../../docs/RUNBOOK.md")),
        ("docs/DEPLOY.md", include_str!("../../../docs/DEPLOY.md")),
        ("README.md", include_str!("../../../README.md")),
        ("SECURITY.md", include_str!("../../../SECURITY.md")),
    ];

    /// The commands of a document: the lines of its code blocks, and its code in sentences, each from `ops` on. The flag
    /// tells a line of a block, which must be complete.
    fn commands(document: &str) -> Vec<(bool, String)> {
        let mut found = Vec::new();
        for (index, part) in document.split("```").enumerate() {
            let is_block = index % 2 == 1;
            let codes: Vec<String> = match is_block {
                true => part.lines().map(str::to_owned).collect(),
                false => part.split('`').skip(1).step_by(2).map(|code| code.replace('\n', " ")).collect(),
            };
            for code in codes {
                let code = code.split(" #").next().unwrap().trim().to_owned();
                let command =
                    code.strip_prefix("cargo run -p ops -- ").map(|rest| format!("ops {rest}")).unwrap_or(code);
                if command.starts_with("ops ") && !command.contains("COMMAND") {
                    found.push((is_block, command));
                }
            }
        }
        found
    }

    /// The words of a command as a shell splits them, with an example in the place of the id of a key.
    fn words(command: &str) -> Vec<String> {
        let mut words = Vec::new();
        for (index, part) in command.split('"').enumerate() {
            match index % 2 {
                0 => words.extend(part.split_whitespace().map(str::to_owned)),
                _ => words.push(part.to_owned()),
            }
        }
        let example = |word: String| if word == "KEY" { "key_01JDB8Q7XKZ3T5V9W2Y4A6C8EG".to_owned() } else { word };
        words.into_iter().map(example).collect()
    }

    #[test]
    fn every_command_of_the_documents_is_accepted() {
        let mut seen = 0;
        for (name, document) in DOCUMENTS {
            for (is_line, command) in commands(document) {
                seen += 1;
                match Cli::try_parse_from(words(&command)) {
                    Ok(_) => {}
                    Err(e) if e.kind() == ErrorKind::DisplayHelp => {}
                    // A sentence may name a command without what it takes.
                    Err(e) if !is_line && e.kind() == ErrorKind::MissingRequiredArgument => {}
                    Err(e) => panic!("{name}: {command}\n{e}"),
                }
            }
        }
        assert!(seen > 60, "only {seen} commands were found");
    }

    #[test]
    fn the_operators_document_shows_every_command_and_every_option() {
        let shown: Vec<Vec<String>> = commands(OPERATIONS).iter().map(|(_, command)| words(command)).collect();
        let mut open = vec![(Vec::new(), Cli::command())];
        while let Some((path, command)) = open.pop() {
            let below: Vec<_> = command.get_subcommands().filter(|child| child.get_name() != "help").cloned().collect();
            for child in &below {
                let name = child.get_name().to_owned();
                open.push(([&path[..], &[name]].concat(), child.clone()));
            }
            if !below.is_empty() {
                continue;
            }
            let of_this = shown.iter().filter(|words| path.iter().all(|name| words.contains(name)));
            let used: BTreeSet<&String> = of_this.flatten().collect();
            assert!(!used.is_empty(), "docs/OPERATIONS.md does not show ops {}", path.join(" "));
            for option in command.get_arguments().filter_map(clap::Arg::get_long) {
                let option = format!("--{option}");
                assert!(
                    option == "--help" || used.contains(&option),
                    "docs/OPERATIONS.md does not show {path:?} {option}"
                );
            }
        }
    }
}
