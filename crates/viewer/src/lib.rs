//! Results of a run in a browser: served to this machine alone, or as a film in one file.
//!
//! | where | what |
//! | --- | --- |
//! | [`Source`] | what is looked at: a folder of results or a trajectory; whether a run is still writing it |
//! | [`Server`] | serves a page and the files of a [`Source`] on 127.0.0.1 |
//! | [`export`] | the page with the data in it: a file to send to a colleague |
//! | [`Status`] | what the page asks for again and again |
//!
//! The page is built from the folder `viewer` of the repository and is a part of the program. It uses no network but
//! this server. Nothing here writes to a folder of results, and a run that is under way does not notice.

mod base64;
mod error;
mod export;
mod fields;
mod film_fields;
mod http;
mod page;
mod server;
mod site;
mod source;
mod status;

pub use error::Error;
pub use export::{ExportOptions, Film, export};
pub use fields::FieldStatus;
pub use film_fields::FilmFields;
pub use server::{Options, Server};
pub use source::Source;
pub use status::{Status, TableStatus};
