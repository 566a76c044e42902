//! Processes that share what one command does: the first reads, writes and prints, and the others help it.

use crate::failure::Failure;
use crate::output;
use crate::signals::Interrupt;
use std::sync::Arc;
use std::thread::available_parallelism;
use tumble::Serving;
use tumble::dem::ranks::{Lost, Peers as _, Processes, all_ready};
use tumble::scene::Built;
use tumble_mpi::World;

/// All processes, as one of them sees them.
pub(crate) struct Team {
    world: World,
    /// Threads of this process.
    threads: usize,
    processes: Arc<Processes>,
}

impl Team {
    /// Joins the others. `threads` is what the command says; without it, what Slurm gives a process, else its part of the
    /// processors that it may use.
    pub(crate) fn join(threads: Option<usize>) -> Result<Self, Failure> {
        let world = World::join().map_err(Failure::Failed)?;
        let mut peers = world.peers();
        // Which processors a process may use tells whether it has them for itself.
        let seat = format!("{}\n{}", world.node(), allowed_processors());
        let seats = peers.all_to_all(vec![seat.clone().into_bytes(); peers.count()]);
        let seats: Vec<String> =
            seats.map_err(failed)?.iter().map(|seat| String::from_utf8_lossy(seat).into_owned()).collect();
        let own = || {
            let sharing = seats.iter().filter(|other| **other == seat).count().max(1);
            (available_parallelism().map_or(1, usize::from) / sharing).max(1)
        };
        let of_slurm = || std::env::var("SLURM_CPUS_PER_TASK").ok()?.trim().parse().ok();
        let threads = threads.filter(|threads| *threads > 0).or_else(of_slurm).unwrap_or_else(own);
        let mut nodes: Vec<&str> = seats.iter().filter_map(|seat| seat.lines().next()).collect();
        nodes.sort_unstable();
        nodes.dedup();
        let several =
            |count: usize, one: &str, many: &str| format!("{count} {}", if count == 1 { one } else { many });
        let told = format!(
            "{} on {} ({}), each with {}",
            several(peers.count(), "process", "processes"),
            several(nodes.len(), "node", "nodes"),
            world.library(),
            several(threads, "thread", "threads")
        );
        let processes = Arc::new(Processes::new(Box::new(peers), told));
        Ok(Self { world, threads, processes })
    }

    /// Threads of this process.
    pub(crate) fn threads(&self) -> usize {
        self.threads
    }

    /// All processes, as this one sees them.
    pub(crate) fn peers(&self) -> tumble_mpi::Processes {
        self.world.peers()
    }

    /// The other processes, for an engine to be spread over, or for whoever gives them something else to do.
    pub(crate) fn processes(&self) -> Arc<Processes> {
        Arc::clone(&self.processes)
    }

    /// On the first process: shares what is run with the others.
    pub(crate) fn join_in(&self, built: Built) -> Result<Built, Failure> {
        self.tell(Serving::message(&built))?;
        Ok(Built { processes: Some(self.processes()), ..built })
    }

    /// On the first process: tells the others what is to be done, and gives an error if one of them cannot take part.
    pub(crate) fn tell(&self, what: String) -> Result<(), Failure> {
        let mut peers = self.peers();
        let ready = peers.broadcast(what.into_bytes()).and_then(|_| all_ready(&mut peers, Ok(())));
        match ready {
            Ok(Ok(())) => Ok(()),
            Ok(Err(reason)) => {
                // The others have gone already.
                self.processes.take();
                Err(Failure::BadInput(reason))
            }
            Err(lost) => Err(failed(lost)),
        }
    }

    /// Has the first process do what it has to, and the others help it with what it [tells](Self::tell) them; all end together.
    pub(crate) fn share(
        self,
        lead: impl FnOnce(&Self) -> Result<(), Failure>,
        help: impl FnOnce(&Self, &str) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        if self.peers().rank() > 0 {
            // The first process hears signals too, and says when all are to end.
            let _heard = Interrupt::catch_to_wait()?;
            let told = self.peers().broadcast(Vec::new()).map_err(failed)?;
            return if told.is_empty() { Ok(()) } else { help(&self, &String::from_utf8_lossy(&told)) };
        }
        let done = lead(&self);
        // It is said before anybody ends, since launchers end all when one does with an error.
        let done = done.map_err(|failure| {
            output::complain(&failure);
            Failure::Said(failure.exit())
        });
        // If nobody has taken them, they still wait: for what is to be done, or for the first order. Nothing is the answer to either.
        if let Some(mut peers) = self.processes.take() {
            let _ = peers.broadcast(Vec::new());
        }
        done
    }

    /// On the others: whether all can take part, this one if it is ready.
    pub(crate) fn are_all_ready(&self, ready: Result<(), String>) -> Result<bool, Failure> {
        Ok(all_ready(&mut self.peers(), ready).map_err(failed)?.is_ok())
    }

    /// On the others: does steps of a run, of which the first process has told.
    pub(crate) fn help_to_run(&self, told: &str) -> Result<(), Failure> {
        let serving = Serving::new(told, self.threads);
        if !self.are_all_ready(serving.as_ref().map(|_| ()).map_err(ToString::to_string))? {
            return Ok(());
        }
        serving?.serve(Box::new(self.peers())).map_err(failed)
    }
}

fn failed(lost: Lost) -> Failure {
    Failure::Failed(lost.to_string())
}

/// The processors that this process may use, as Linux lists them; nothing elsewhere.
fn allowed_processors() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:"));
    line.unwrap_or_default().trim().to_owned()
}
