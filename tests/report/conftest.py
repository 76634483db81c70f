import dataclasses

import pytest

from orderedness.paper.results import whole_paper
from orderedness.report import files, viewer


@pytest.fixture(scope="session")
def report(tmp_path_factory):
    """A report of few networks, with a short viewer."""
    folder = tmp_path_factory.mktemp("report")
    results = whole_paper(3, folder / "store")
    short = viewer.viewer_data(networks=1, moments=4)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(files, "viewer_data", lambda seed: short)
        files.write_report(dataclasses.replace(results), folder / "out")
    return folder / "out", results
