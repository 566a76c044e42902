//! `tumble schema`: the JSON schema of scene files, made from the same declarations as their reader.

use crate::failure::Failure;
use crate::output;
use clap::Args;

const EXAMPLES: &str = "\
Examples:
  tumble schema > tumble.schema.json                 for editors, to complete and check scenes

Editors with Taplo (Even Better TOML) take it from the first line of a scene:
  #:schema ./tumble.schema.json";

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Options {}

pub(crate) fn run(_: &Options) -> Result<(), Failure> {
    output::print(&format!("{:#}\n", tumble::scene::schema()))
}
