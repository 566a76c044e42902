//! Plots in the terminal, letter by letter: what is drawn is where it belongs, on any terminal.

use tumble_cli::terminal_plot::{Letters, Look, draw};
use tumble_report::{Axis, Figure, Mark, Panel, Series};

const PLAIN: Look = Look { columns: 40, rows: 6, letters: Letters::Unicode, colour: false };

fn panel(series: Vec<Series>) -> Panel {
    Panel { title: String::new(), x: Axis::linear("time in s"), y: Axis::linear("energy in J"), series }
}

/// A stone that falls from 5 m in a field of 10 m/s²: its energies over a second.
fn falling() -> Panel {
    let samples = || (0..=100).map(|i| f64::from(i) / 100.0);
    let potential = samples().map(|t| (t, 50.0 - 50.0 * t * t)).collect();
    let kinetic = samples().map(|t| (t, 50.0 * t * t)).collect();
    panel(vec![Series::new("kinetic", kinetic, Mark::Line), Series::new("potential", potential, Mark::Line)])
}

#[test]
fn one_curve_in_braille() {
    let mut panel = falling();
    panel.series.truncate(1);
    let expected = "    energy in J
50 ┤                                 ⣠⠔⠋
   │                             ⢀⡤⠖⠉
   │                         ⣀⡠⠔⠊⠁
   │                    ⢀⣠⠤⠒⠋⠁
   │              ⣀⣀⠤⠔⠒⠋⠁
 0 ┤⣀⣀⣀⣀⣀⡠⠤⠤⠤⠖⠒⠚⠉⠉⠁
   └┬─────────────────┬────────────────┬
    0                0.5             1.0
                               time in s
";
    assert_eq!(draw(&panel, PLAIN), expected);
}

#[test]
fn without_colours_each_curve_has_its_letter() {
    let unicode = draw(&falling(), PLAIN);
    let mut titled = falling();
    titled.title = "A falling stone".into();
    let ascii = draw(&titled, Look { letters: Letters::Ascii, ..PLAIN });
    let expected = "    A falling stone
    energy in J
50 +++++++++++++                     ***
   |           +++++++++         *****
   |                   +++++++****
   |                   ******+++++
   |           *********         +++++
 0 +************                     +++
   ++-----------------+----------------+
    0                0.5             1.0
                               time in s
    ** kinetic   ++ potential
";
    assert_eq!(ascii, expected);
    assert!(ascii.is_ascii());
    assert!(unicode.contains("●● kinetic   ×× potential"), "{unicode}");
}

#[test]
fn colours_tell_curves_apart() {
    let plot = draw(&falling(), Look { colour: true, ..PLAIN });
    assert!(plot.contains("\u{1b}[36m⠒⠒\u{1b}[0m kinetic   \u{1b}[35m⠒⠒\u{1b}[0m potential"), "{plot:?}");
    // Without its colours it is no wider than it should be.
    let mut plain = plot.replace("\u{1b}[36m", "").replace("\u{1b}[35m", "");
    plain = plain.replace("\u{1b}[0m", "");
    assert!(plain.lines().all(|line| line.chars().count() <= PLAIN.columns), "{plain}");
}

#[test]
fn logarithmic_axes_have_powers_of_ten() {
    // A power law is straight. What is not positive is left out.
    let points = vec![(1.0, 1.0), (1000.0, 1e-3), (0.0, 1.0), (10.0, -1.0)];
    let mut panel = panel(vec![Series::new("1/x", points, Mark::Line)]);
    (panel.x, panel.y) = (Axis::log("x"), Axis::log("y"));
    let expected = "      y
 1e0 ┤⠑⢄⡀
     │  ⠈⠢⡀
     │    ⠈⠢⢄
1e-1 ┤       ⠑⢄
     │         ⠉⠢⡀
     │           ⠈⠢⣀
1e-2 ┤              ⠑⢄
     │                ⠑⠢⡀
     │                  ⠈⠢⡀
1e-3 ┤                    ⠈⠑⢄
     └┬─────────────────────┬
      1e0                 1e3
                            x
";
    assert_eq!(draw(&panel, Look { columns: 29, rows: 10, ..PLAIN }), expected);
}

#[test]
fn anything_can_be_drawn() {
    let strange = [
        vec![],
        vec![(f64::NAN, 1.0)],
        vec![(0.0, 0.0)],
        vec![(0.0, 5.0), (f64::INFINITY, 5.0), (1.0, 5.0)],
        vec![(-1e308, 1e308), (1e308, -1e308)],
        vec![(0.0, 1.0), (1.0, 1.0 + 1e-15)],
    ];
    for points in strange {
        for (columns, rows) in [(0, 0), (12, 3), (78, 14)] {
            for log in [false, true] {
                let mut panel = panel(vec![Series::new("a", points.clone(), Mark::Line)]);
                (panel.x.log, panel.y.log) = (log, log);
                let plot = draw(&panel, Look { columns, rows, ..PLAIN });
                assert_eq!(plot.lines().count(), rows.max(3) + 4, "{plot}");
            }
        }
    }
}

#[test]
fn the_locale_decides_about_unicode() {
    let letters = |set: &[(&str, &str)]| {
        Letters::from_variables(|name| {
            set.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned())
        })
    };
    assert_eq!(letters(&[("LANG", "en_GB.UTF-8")]), Letters::Unicode);
    assert_eq!(letters(&[("LANG", "C.utf8")]), Letters::Unicode);
    assert_eq!(letters(&[("LANG", "C")]), Letters::Ascii);
    assert_eq!(letters(&[("LANG", "de_DE.UTF-8"), ("LC_ALL", "POSIX")]), Letters::Ascii);
    assert_eq!(letters(&[("LANG", "de_DE.UTF-8"), ("LC_ALL", "")]), Letters::Unicode);
    assert_eq!(letters(&[("LANG", "de_DE.UTF-8"), ("NO_UNICODE", "1")]), Letters::Ascii);
}

#[test]
fn the_same_panel_is_a_figure() {
    let svg = Figure { title: "Energy".into(), panels: vec![falling()] }.to_svg();
    for text in ["time in s", "energy in J", "kinetic", "potential"] {
        assert!(svg.contains(&format!(">{text}</text>")), "{text}");
    }
}
