//! The command line as a whole: its commands, the groups they are listed in, and the help of the program.

use crate::commands::{
    advise, bench, check, clump, completions, export, info, laws, man, new, report, reproduce, run, schema,
    schemes, study, sweep, verify, view,
};
use crate::failure::Exit;
use crate::output::{HELP, harmless, heading, name};
use crate::scene_file::Settings;
use clap::{CommandFactory as _, Parser, Subcommand};
use std::fmt::Write as _;

/// Simulates rigid bodies made of spheres, and compares the rotation schemes that turn them
///
/// Without a command, a built-in scene is run for a few seconds: chess pieces that bounce in a box. The results
/// go to results/chess.
#[derive(Debug, Parser)]
#[command(
    name = "tumble",
    version,
    styles = HELP,
    max_term_width = 110,
    disable_help_subcommand = true,
    args_conflicts_with_subcommands = true
)]
pub(crate) struct Arguments {
    /// For the built-in scene, so that tests need not wait for all of it.
    #[command(flatten)]
    pub(crate) settings: Settings,

    #[command(subcommand)]
    pub(crate) command: Option<Command>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Simulate a scene, or go on with a run that was interrupted
    Run(run::Options),
    /// Say everything that is wrong with scenes, and what a run would be like
    Check(check::Options),
    /// Make a clump of spheres from a triangle mesh, with a certificate
    Clump(clump::Options),
    /// Write a commented example scene to start from
    New(new::Options),
    /// Explain which time step a scene needs
    Advise(advise::Options),
    /// Tell about a folder of results, a checkpoint, a clump or a mesh
    Info(info::Options),
    /// Look at the motion in the browser, or export it as one file
    View(view::Options),
    /// Write the motion of a run as one file for ParaView, or its bodies as a table for a scene
    Export(export::Options),
    /// Write the page of a run again: energies, contacts, walls, time, a picture
    Report(report::Options),
    /// Run a scene with every combination of some settings: one table of all results
    Sweep(sweep::Options),
    /// Integrate a problem with several schemes and compare errors and cost
    Study(Box<study::Options>),
    /// Check the engine against published benchmarks and closed forms
    Verify(verify::Options),
    /// Compute the tables and figures of papers again, and say how they compare
    Reproduce(reproduce::Options),
    /// Measure how fast the engine steps on this machine, and where the time goes
    Bench(bench::Options),
    /// List the rotation schemes, or tell everything about one
    Schemes(schemes::Options),
    /// List contact laws, rolling and twisting resistances, or tell everything about one
    Laws(laws::Options),
    /// Print the JSON schema of scene files, for editors
    Schema(schema::Options),
    /// Print completions for a shell
    Completions(completions::Options),
    /// Print the manual page, or write those of all commands
    Man(man::Options),
}

/// Headings of the help, and the commands under each.
const GROUPS: &[(&str, &[&str])] = &[
    ("Simulate", &["new", "clump", "check", "advise", "run", "view", "report", "sweep", "info", "export"]),
    ("Measure", &["verify", "reproduce", "study", "bench"]),
    ("Look up", &["schemes", "laws", "schema"]),
    ("Set up", &["completions", "man"]),
];

const EXAMPLES: &[(&str, &str)] = &[
    ("tumble", "chess pieces in a box, for a few seconds"),
    ("tumble new settling", "a scene to start from: settling.toml"),
    ("tumble run settling.toml", "simulate it: results in results/settling"),
    ("tumble view results/settling", "look at it in the browser, also while it runs"),
    ("tumble run settling.toml --resume", "go on after Ctrl-C, a crash or a power cut"),
    ("tumble sweep chess.toml --set dt=2e-6,4e-6 --seeds 10", "a parameter study: one table"),
    ("tumble clump rock.stl --surface 3%", "spheres for a mesh, with its mass and a proved surface error"),
    ("tumble info knight.csv --density 2500", "mass and moments of inertia of a clump"),
    ("tumble study", "compare all rotation schemes"),
    ("tumble reproduce spiral/fig2", "a figure of a paper, computed again"),
    ("tumble verify", "benchmarks with exact solutions: a table, a report, an exit code"),
    ("tumble laws hertz-mindlin", "a contact law and what it needs to know"),
    ("tumble bench --threads 1,2,4", "steps per second on this machine"),
];

const ENVIRONMENT: &[(&str, &str)] = &[
    ("NO_COLOR", "no colours, even in a terminal"),
    ("CLICOLOR_FORCE", "colours, even in a file"),
    ("NO_UNICODE", "plots in ASCII; without it the locale decides (LC_ALL, LC_CTYPE, LANG)"),
];

/// The command line, as help, completions and manual pages see it.
pub fn command() -> clap::Command {
    // What tests set of the built-in scene is nothing for people: they have scene files.
    let command = Arguments::command().mut_arg("set", |argument| argument.hide(true));
    let mut listing = String::new();
    for (title, names) in GROUPS {
        let known = names.iter().filter_map(|&wanted| command.find_subcommand(wanted));
        let about =
            |command: &clap::Command| command.get_about().map(ToString::to_string).unwrap_or_default();
        push_section(
            &mut listing,
            title,
            known.map(|command| (command.get_name().to_owned(), about(command))),
        );
        listing.push('\n');
    }
    // clap knows no groups of commands, so they are a part of the template.
    let template = format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{listing}{}\n{{options}}{{after-help}}\n",
        harmless(&heading("Options:"))
    );
    let short = "Every command has a `--help` of its own; `tumble --help` has examples and exit codes.";
    command.help_template(template).after_help(short).after_long_help(after_long_help())
}

fn after_long_help() -> String {
    let mut text = String::new();
    let owned = |(a, b): &(&str, &str)| ((*a).to_owned(), (*b).to_owned());
    push_section(&mut text, "Examples", EXAMPLES.iter().map(owned));
    text.push('\n');
    push_section(&mut text, "Environment", ENVIRONMENT.iter().map(owned));
    text.push('\n');
    let codes = Exit::ALL.into_iter().map(|exit| (exit.code().to_string(), exit.meaning().to_owned()));
    let killed = ("130, 143".to_owned(), "ended at once by a second Ctrl-C or SIGTERM".to_owned());
    push_section(&mut text, "Exit codes", codes.chain([killed]));
    text
}

/// A heading, and under it pairs in two columns.
fn push_section(text: &mut String, title: &str, entries: impl Iterator<Item = (String, String)>) {
    let entries: Vec<(String, String)> = entries.collect();
    let width = entries.iter().map(|(first, _)| first.chars().count()).max().unwrap_or(0);
    let _ = writeln!(text, "{}", harmless(&heading(&format!("{title}:"))));
    for (first, second) in entries {
        let room = " ".repeat(width - first.chars().count());
        let _ = writeln!(text, "  {}{room}  {second}", harmless(&name(&first)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_definition_is_sound() {
        command().debug_assert();
    }

    #[test]
    fn every_command_is_in_one_group_and_says_what_it_does() {
        let listed: Vec<&str> = GROUPS.iter().flat_map(|(_, names)| names.iter().copied()).collect();
        for command in command().get_subcommands() {
            let name = command.get_name();
            assert_eq!(listed.iter().filter(|listed| **listed == name).count(), 1, "{name}");
            assert!(command.get_about().is_some(), "{name}");
        }
        assert_eq!(listed.len(), command().get_subcommands().count());
    }

    #[test]
    fn every_command_has_examples() {
        for command in command().get_subcommands() {
            let help = command.clone().render_long_help().to_string();
            let call = format!("  tumble {}", command.get_name());
            assert!(help.contains("Examples:") && help.contains(&call), "{help}");
        }
    }

    #[test]
    fn examples_and_notes_fit_into_their_lines() {
        for command in command().get_subcommands() {
            for text in [command.get_after_help(), command.get_after_long_help()].into_iter().flatten() {
                // Longer ones are broken by clap, without indentation.
                let text = text.to_string();
                let long = text.lines().find(|line| line.chars().count() > 99);
                assert_eq!(long, None, "{}", command.get_name());
            }
        }
    }

    /// clap prints help, and knows nothing of the mark that stands for colours of our own until something is printed.
    #[test]
    fn colours_in_help_are_those_of_terminals() {
        let command = command();
        for command in command.get_subcommands().chain([&command]) {
            let help = command.clone().render_long_help().ansi().to_string();
            let foreign = help.match_indices('[').find(|(at, _)| {
                let code = help[at + 1..].trim_start_matches(|letter: char| letter.is_ascii_digit());
                code.len() < help[at + 1..].len() && code.starts_with('m') && !help[..*at].ends_with('\u{1b}')
            });
            assert_eq!(foreign, None, "{}", command.get_name());
        }
    }

    #[test]
    fn every_option_is_explained() {
        for command in command().get_subcommands() {
            for argument in command.get_arguments() {
                assert!(argument.get_help().is_some(), "{} {}", command.get_name(), argument.get_id());
            }
        }
    }
}
