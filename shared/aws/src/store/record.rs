//! How most models are stored.

/// Makes the record that a model is stored as: the same fields, camel case, absent if empty; and both conversions.
macro_rules! record {
    ($(#[$meta:meta])* $record:ident for $model:ident { $($(#[$fmeta:meta])* $field:ident : $type:ty),+ $(,)? }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, serde::Serialize, serde::Deserialize)]
        #[serde(rename_all = "camelCase")]
        pub(crate) struct $record { $($(#[$fmeta])* pub(crate) $field: $type),+ }

        impl From<$model> for $record {
            fn from(model: $model) -> Self {
                let $model { $($field),+ } = model;
                Self { $($field),+ }
            }
        }

        impl From<$record> for $model {
            fn from(record: $record) -> Self {
                let $record { $($field),+ } = record;
                Self { $($field),+ }
            }
        }
    };
}
pub(crate) use record;
