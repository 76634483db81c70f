"""What the README shows, works."""

import re
from pathlib import Path

README = Path(__file__).parents[1] / "README.md"


def test_the_python_example_runs(capsys):
    [code] = re.findall(r"```python\n(.*?)```", README.read_text(), re.DOTALL)
    exec(compile(code.replace("range(1000)", "range(5)"), "README.md", "exec"), {})
    shown = capsys.readouterr().out
    assert shown.count("solved") == 3
    assert "0.8333" in shown


def test_pictures_and_folders_exist():
    text = README.read_text()
    for path in re.findall(r"!\[.*?\]\((.*?)\)", text):
        assert (README.parent / path).exists()
