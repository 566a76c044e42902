//! Whether the program was launched several times at once, as `mpirun` and `srun` do.

use crate::failure::{Exit, Failure};

/// The variables in which launchers tell a process how many there are, and which one it is: Open MPI, MPICH and those made of it,
/// MVAPICH, Flux, Slurm. (Slurm sets others for a whole job, also in its script, which is one process.)
const TOLD: [(&str, &str); 5] = [
    ("OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"),
    ("PMI_SIZE", "PMI_RANK"),
    ("MV2_COMM_WORLD_SIZE", "MV2_COMM_WORLD_RANK"),
    ("FLUX_JOB_SIZE", "FLUX_TASK_RANK"),
    ("SLURM_STEP_NUM_TASKS", "SLURM_PROCID"),
];

/// One of several processes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Launch {
    rank: usize,
    count: usize,
}

/// Which of several processes this is; none if it is the only one.
pub(crate) fn of_several() -> Option<Launch> {
    told_by(|name| std::env::var(name).ok())
}

fn told_by(variable: impl Fn(&str) -> Option<String>) -> Option<Launch> {
    let number = |name: &str| variable(name)?.trim().parse().ok();
    let told = TOLD.iter().find_map(|(count, rank)| Some((number(count)?, number(rank)?)));
    told.map(|(count, rank)| Launch { rank, count }).filter(|launch| launch.count > 1)
}

impl Launch {
    /// Why several processes cannot do what was asked for, which the first of them says.
    pub(crate) fn refuse(self) -> Failure {
        if self.rank > 0 {
            return Failure::Said(Exit::BadInput);
        }
        let count = self.count;
        Failure::BadInput(if cfg!(feature = "mpi") {
            format!(
                "{count} processes were launched, and would all do the same: only `tumble run` and `tumble sweep` share \
                 their work among them"
            )
        } else {
            format!(
                "{count} processes were launched, and would all do the same, since this program was built without MPI: \
                 build it with `--features mpi`, or launch one, with --threads {count} or --ranks {count}"
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn launchers_are_known_by_what_they_tell() {
        let told = |known: &'static [(&str, &str)]| {
            told_by(|name| {
                known.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned())
            })
        };
        let third = Some(Launch { rank: 2, count: 4 });
        assert_eq!(told(&[("OMPI_COMM_WORLD_SIZE", "4"), ("OMPI_COMM_WORLD_RANK", "2")]), third);
        assert_eq!(told(&[("PMI_RANK", "2"), ("PMI_SIZE", "4"), ("SLURM_PROCID", "9")]), third);
        assert_eq!(told(&[("SLURM_STEP_NUM_TASKS", "4"), ("SLURM_PROCID", "2")]), third);
        // The script of a job, one process, and none of it.
        assert_eq!(told(&[("SLURM_NTASKS", "4"), ("SLURM_PROCID", "0")]), None);
        assert_eq!(told(&[("PMI_SIZE", "1"), ("PMI_RANK", "0")]), None);
        assert_eq!(told(&[]), None);
    }
}
