"""Studies: grids of experiments times seeds, and the store that keeps their results.

Names are loaded when they are first used, so that the command line starts quickly.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from orderedness._lazy import lazily

if TYPE_CHECKING:
    from orderedness.study.dask_cluster import Cluster, cluster
    from orderedness.study.failed import FailedError, Failure
    from orderedness.study.greeting import UnlikeError
    from orderedness.study.grid import arms_of, load_study
    from orderedness.study.manifest import Manifest, Place
    from orderedness.study.measure import weights_of
    from orderedness.study.naming import Named, named
    from orderedness.study.plan import Arm, Block, Study
    from orderedness.study.record import Record
    from orderedness.study.run import compute, run_study
    from orderedness.study.seeds import NETWORKS_A_SEED, study_seeds
    from orderedness.study.setting import Setting, this_setting
    from orderedness.study.statistics import Estimate, estimate, solved_share
    from orderedness.study.store import Store, StoreWarning

_HOME = {
    "dask_cluster": ("Cluster", "cluster"),
    "failed": ("FailedError", "Failure"),
    "grid": ("arms_of", "load_study"),
    "greeting": ("UnlikeError",),
    "manifest": ("Manifest", "Place"),
    "measure": ("weights_of",),
    "naming": ("Named", "named"),
    "plan": ("Arm", "Block", "Study"),
    "record": ("Record",),
    "run": ("compute", "run_study"),
    "seeds": ("NETWORKS_A_SEED", "study_seeds"),
    "setting": ("Setting", "this_setting"),
    "statistics": ("Estimate", "estimate", "solved_share"),
    "store": ("Store", "StoreWarning"),
}
__all__ = [
    "NETWORKS_A_SEED",
    "Arm",
    "Block",
    "Cluster",
    "Estimate",
    "FailedError",
    "Failure",
    "Manifest",
    "Named",
    "Place",
    "Record",
    "Setting",
    "Store",
    "StoreWarning",
    "Study",
    "UnlikeError",
    "arms_of",
    "cluster",
    "compute",
    "estimate",
    "load_study",
    "named",
    "run_study",
    "solved_share",
    "study_seeds",
    "this_setting",
    "weights_of",
]

__getattr__, __dir__ = lazily(__name__, _HOME)
