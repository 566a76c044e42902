//! `tumble completions`: what the Tab key can know.

use crate::args;
use crate::failure::Failure;
use crate::output;
use clap::Args;
use clap_complete::Shell;

const EXAMPLES: &str = "\
Examples:
  tumble completions bash > ~/.local/share/bash-completion/completions/tumble
  tumble completions zsh > ~/.zfunc/_tumble          in ~/.zshrc before compinit: fpath+=~/.zfunc
  tumble completions fish > ~/.config/fish/completions/tumble.fish
  tumble completions powershell >> $PROFILE";

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Options {
    /// The shell to print completions for
    #[arg(value_enum)]
    shell: Shell,
}

pub(crate) fn run(options: &Options) -> Result<(), Failure> {
    let mut script = Vec::new();
    clap_complete::generate(options.shell, &mut args::command(), "tumble", &mut script);
    output::print(&String::from_utf8_lossy(&script))
}
