"""Files that other programs write are read back as what went in."""

import itertools
import json
import os
import pickle
import re
import struct
import subprocess
import sys
import zipfile
from pathlib import Path

import networkx
import numpy as np
import polars as pl
import pytest
import safetensors.numpy
import scipy.io
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from orderedness.measuring import read
from orderedness.measuring.gates import GATES
from orderedness.measuring.readers import edges, limits

FIXTURES = Path(__file__).parent / "fixtures"
RNG = np.random.default_rng(0)
DENSE = np.array(
    [[0.0, 2.5, 0.0, -1.0], [1.0, 0.5, 0.0, 0.0], [0.0, 4.0, 0.0, 0.0], [0, 0, 3.0, 0]]
)


def write_npy(path):
    np.save(path, DENSE)


def write_fortran_npy(path):
    np.save(path, np.asfortranarray(DENSE))


def write_npz(path):
    np.savez_compressed(path, bias=np.zeros(4), W=DENSE)


def write_csr(path):
    sp.save_npz(path, sp.csr_array(DENSE))


def write_coo(path):
    sp.save_npz(path, sp.coo_array(DENSE))


def write_edge_npz(path):
    target, source = DENSE.nonzero()
    np.savez(path, source=source, target=target, weight=DENSE[target, source], nodes=4)


def write_csv(path):
    np.savetxt(path, DENSE, delimiter=",", header="a comment")


def write_tsv(path):
    np.savetxt(path, DENSE, delimiter="\t")


def write_semicolons(path):
    np.savetxt(path, DENSE, delimiter=";", fmt="%.18g")


def write_mtx(path):
    scipy.io.mmwrite(path, sp.coo_array(DENSE))


def write_dense_mtx(path):
    scipy.io.mmwrite(path, DENSE)


def write_mat(path):
    scipy.io.savemat(path, {"name": "a net", "W": DENSE}, do_compression=True)


def write_sparse_mat(path):
    scipy.io.savemat(path, {"W": sp.csc_array(DENSE)})


def write_old_mat(path):
    scipy.io.savemat(path, {"W": DENSE}, format="4")


def write_safetensors(path):
    safetensors.numpy.save_file({"bias": np.zeros(4), "W": DENSE}, path)


MATRICES = {
    "a.npy": write_npy,
    "f.npy": write_fortran_npy,
    "a.npz": write_npz,
    "csr.npz": write_csr,
    "coo.npz": write_coo,
    "edges.npz": write_edge_npz,
    "a.csv": write_csv,
    "a.tsv": write_tsv,
    "b.csv": write_semicolons,
    "a.mtx": write_mtx,
    "b.mtx": write_dense_mtx,
    "a.mat": write_mat,
    "b.mat": write_sparse_mat,
    "c.mat": write_old_mat,
    "a.safetensors": write_safetensors,
}


@pytest.mark.parametrize("name", MATRICES)
def test_matrices_are_read_back(name, tmp_path):
    MATRICES[name](tmp_path / name)
    assert read(tmp_path / name).weights.toarray().tolist() == DENSE.tolist()


EDGES = [("a", "b", 2.0), ("b", "c", -1.5), ("c", "a", 1.0), ("b", "b", 1.0)]


def write_edges_csv(path):
    path.write_text("".join(f"{s},{t},{w}\n" for s, t, w in EDGES))


def write_headed_csv(path):
    path.write_text(
        "\ufeffweight,note,post,pre\n" + "".join(f"{w},x,{t},{s}\n" for s, t, w in EDGES),
        encoding="utf-8",
    )


def write_edges_parquet(path):
    pl.DataFrame(EDGES, schema=["source", "target", "weight"], orient="row").write_parquet(path)


def write_graphml(path):
    graph = networkx.DiGraph()
    graph.add_weighted_edges_from(EDGES)
    networkx.write_graphml_xml(graph, path)


LISTS = {
    "a.csv": write_edges_csv,
    "b.csv": write_headed_csv,
    "a.parquet": write_edges_parquet,
    "a.graphml": write_graphml,
}


@pytest.mark.parametrize("name", LISTS)
def test_edges_are_read_back(name, tmp_path):
    LISTS[name](tmp_path / name)
    network = read(tmp_path / name)
    assert network.names == ("a", "b", "c")
    assert network.edges
    expected = [[0, 0, 1], [2, 1, 0], [0, -1.5, 0]]
    assert network.weights.toarray().tolist() == expected


@settings(max_examples=50, deadline=None)
@given(
    listed=st.lists(
        st.tuples(st.integers(0, 30), st.integers(0, 30), st.floats(0.01, 100)), min_size=6
    )
)
def test_any_list_of_numbered_edges(listed, tmp_path_factory):
    path = tmp_path_factory.mktemp("lists") / "a.csv"
    path.write_text("".join(f"{s},{t},{w!r}\n" for s, t, w in listed))
    network = read(path)
    names = sorted({n for s, t, _ in listed for n in (s, t)})
    assert network.names == tuple(names)
    expected = np.zeros((len(names), len(names)))
    for source, target, weight in listed:
        expected[names.index(target), names.index(source)] += weight
    np.testing.assert_allclose(network.weights.toarray(), expected)


@settings(max_examples=50, deadline=None)
@given(names=st.lists(st.text(min_size=1).filter(str.strip), min_size=2, max_size=6))
def test_any_names_in_graphml(names, tmp_path_factory):
    path = tmp_path_factory.mktemp("graphs") / "a.graphml"
    allowed = [n for n in dict.fromkeys(names) if all(c.isprintable() for c in n)]
    graph = networkx.DiGraph(itertools.pairwise(allowed))
    if graph.number_of_edges():
        networkx.write_graphml_xml(graph, path)
        assert {str(name) for name in read(path).names} == set(graph.nodes)


def test_edges_without_weights_weigh_one(tmp_path):
    (tmp_path / "a.csv").write_text("source,target\na,b\nb,c\na,b\n")
    network = read(tmp_path / "a.csv")
    assert network.weights.toarray()[1, 0] == 2
    assert network.notes == ("Edges given more than once are summed (1 of them).",)
    (tmp_path / "b.csv").write_text("x,y\ny,z\nz,x\nx,z\n")
    assert read(tmp_path / "b.csv").connections == 4


def test_named_matrices(tmp_path):
    text = ",x,y\nx,0,1\ny,2,0\n"
    (tmp_path / "a.csv").write_text(text)
    assert read(tmp_path / "a.csv").names == ("x", "y")
    (tmp_path / "b.csv").write_text("p,q,r,s\n" + "0,1,2,3\n" * 4)
    assert read(tmp_path / "b.csv").names == ("p", "q", "r", "s")


def test_graphml_default_weights(tmp_path):
    (tmp_path / "a.graphml").write_text(
        '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">'
        '<key id="d0" for="edge" attr.name="weight" attr.type="double"><default>2</default></key>'
        '<graph edgedefault="directed"><node id="a"/><node id="b"/><node id="alone"/>'
        '<edge source="a" target="b"/>'
        '<edge source="b" target="a"><data key="d0">5</data><data key="d1">x</data></edge>'
        "</graph></graphml>"
    )
    network = read(tmp_path / "a.graphml")
    assert sorted(network.names) == ["a", "alone", "b"]
    assert network.weights.data.tolist() == [5, 2]


@pytest.mark.parametrize(("cell", "gates"), [("rnn", 1), ("gru", 3), ("lstm", 4)])
def test_cells_written_by_torch(cell, gates):
    path = FIXTURES / f"{cell}.safetensors"
    stacked = safetensors.numpy.load_file(path)["weight_hh_l0"].astype(float)
    blocks = dict(zip(GATES[gates], np.split(stacked, gates), strict=True))
    whole = read(path)
    if gates > 1:
        expected = sum(np.abs(block) for block in blocks.values())
        np.testing.assert_allclose(whole.weights.toarray(), expected)
        assert list(whole.gates) == list(blocks)
        for name, block in blocks.items():
            assert read(path, gate=name).weights.toarray().tolist() == block.tolist()
        with pytest.raises(ValueError, match=r"gate is 'no', but .* has "):
            read(path, gate="no")
    else:
        assert whole.weights.toarray().tolist() == stacked.tolist()


def test_bfloat16():
    network = read(FIXTURES / "bfloat16.safetensors")
    assert network.units == 3
    assert (network.weights.data != 0).all()


@pytest.mark.parametrize("name", ["rnn.pt", "gru.pt", "lstm.pt", "gru_checkpoint.pt"])
def test_state_dicts_as_torch_loads_them(name):
    pytest.importorskip("torch")
    same = read(FIXTURES / f"{name.split('_')[0].split('.')[0]}.safetensors")
    assert read(FIXTURES / name).weights.toarray().tolist() == same.weights.toarray().tolist()


def test_without_torch_a_pt_file_gets_a_sentence():
    code = f"""
import sys
sys.modules["torch"] = None
from orderedness.measuring import read
try:
    read({str(FIXTURES / "rnn.pt")!r})
except ValueError as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "can only be read where torch is installed" in done.stdout


# What must be refused, and the one sentence that says why.


class Hostile:
    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return os.mkdir, (str(self.path),)


def test_no_pickle_is_loaded(tmp_path):
    harm = tmp_path / "harm"
    np.save(tmp_path / "a.npy", np.array([Hostile(harm)], dtype=object), allow_pickle=True)
    np.savez(tmp_path / "a.npz", W=np.array([Hostile(harm)], dtype=object))
    for name in ("b.npy", "b.npz", "b.mat", "b.pt", "b.safetensors", "b.csv", "b.parquet"):
        (tmp_path / name).write_bytes(pickle.dumps(Hostile(harm)))
    with zipfile.ZipFile(tmp_path / "c.npz", "w") as archive:
        archive.writestr("W.npy", pickle.dumps(Hostile(harm)))
    files = [path for path in tmp_path.iterdir() if path.is_file()]
    assert len(files) == 10
    for path in files:
        with pytest.raises((ValueError, TypeError)) as caught:
            read(path)
        assert path.name in str(caught.value)
        assert not harm.exists()
    pickle.loads((tmp_path / "b.npy").read_bytes())  # noqa: S301  (it was hostile indeed)
    assert harm.exists()


def test_zip_bombs(tmp_path):
    np.savez_compressed(tmp_path / "bomb.npz", W=np.zeros((4000, 4000)))
    assert (tmp_path / "bomb.npz").stat().st_size < 1_000_000
    with pytest.raises(ValueError, match="may unpack to at most 250 times its size"):
        read(tmp_path / "bomb.npz")


def test_matlab_bombs(tmp_path):
    scipy.io.savemat(tmp_path / "bomb.mat", {"W": np.zeros((4000, 4000))}, do_compression=True)
    with pytest.raises(ValueError, match="may unpack to at most 250 times its size"):
        read(tmp_path / "bomb.mat")
    many = sp.csc_array((np.ones(6_000_000), np.arange(6_000_000), [0, 6_000_000]))
    many.data[:] = many.indices[:] = 0
    scipy.io.savemat(tmp_path / "sparse.mat", {"W": many}, do_compression=True)
    with pytest.raises(ValueError, match="may unpack to at most 250 times its size"):
        read(tmp_path / "sparse.mat")


@pytest.mark.parametrize(
    "start",
    [
        '<!DOCTYPE graphml [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]>',
        '<!DOCTYPE graphml SYSTEM "file:///etc/passwd">',
    ],
)
def test_xml_that_declares_a_document_type(start, tmp_path):
    (tmp_path / "a.graphml").write_text(f'<?xml version="1.0"?>\n{start}\n<graphml/>')
    with pytest.raises(ValueError, match="line 2 declares a document type or entity"):
        read(tmp_path / "a.graphml")


GRAPH = '<graphml><graph edgedefault="directed">{}</graph></graphml>'
BAD_TEXT = {
    "nan.csv": ("a,b,1\nb,c,nan\n", "line 2: weight is 'nan', but must be a finite number"),
    "text.csv": ("a,b,1\n\nb,c,many\n", "line 3: weight is 'many', but must be"),
    "late.csv": ("a,b,1\n" * 10 + "b,c,\n", "line 11: weight is '', but must be"),
    "short.csv": ("a,b,1\nb,c\n", "line 2 has 2 columns, but must have 3"),
    "empty.csv": ("", "is empty"),
    "blank.csv": ("\n\n", "is empty, but must hold a matrix or edges"),
    "nameless.csv": ("a,b,1\n,c,1\n", "line 2: the source is empty"),
    "three.csv": ("0,1,2\n3,4,5\n6,7,8\n", "could be a matrix of 3 columns or a list of edges"),
    "ragged.csv": ("0,1,2,3\n0,1,2\n", "line 2 has 3 numbers, but must have 4"),
    "entry.csv": ("0,1,2,3\n0,1,x,3\n", "line 2: an entry is 'x', but must be a finite number"),
    "twice.csv": (
        "a,a,b,c\n0,1,2,3\n0,1,2,3\n0,1,2,3\n0,1,2,3\n",
        "names the unit a twice, but names must differ",
    ),
    "rows.csv": (",a,b\nb,0,1\na,1,0\n", "names a row b and its column a, but"),
    "quote.csv": ("a,b,1\n" + 'a,"' + "x" * 200_000, "line"),
    "shell.csv": ("a,b,1\nb,\x1b[31m\x07,\x1b]0;x\n", r"weight is '\\x1b]0;x', but must be"),
    "a.graphml": ("<graphml><graph>", "is damaged or no GraphML"),
    "b.graphml": ("<svg/>", "line 1: it starts with svg, but must be GraphML"),
    "c.graphml": (GRAPH.format('<edge source="a"/>'), "this edge has no target"),
    "d.graphml": (GRAPH.format("<hyperedge/>"), "there is a hyperedge"),
    "e.graphml": (
        '<graphml><graph edgedefault="undirected"><edge source="a" target="b"/></graph></graphml>',
        "an edge is undirected, but every edge must be directed",
    ),
    "f.graphml": (
        GRAPH.format('<edge source="a" target="b"><data key="weight">x</data></edge>'),
        "weight is 'x', but must be a finite number",
    ),
    "g.graphml": (GRAPH.format(""), "holds no edges"),
    "a.mtx": ("%%MatrixMarket matrix coordinate real general\n2 2 9\n1 1 1\n", "Matrix Market"),
    "b.mtx": ("hello", "is no Matrix Market file"),
    "c.mtx": ("%%MatrixMarket matrix array complex general\n1 1\n1 1\n", "not real numbers"),
    "a.npy": ("\x93NUMPY", "is not a NumPy array"),
    "b.npy": ("no numpy", "is not a NumPy array"),
    "a.npz": ("no archive", "is damaged or no archive"),
    "a.safetensors": ("nothing of the kind", "is damaged or no safetensors file"),
    "a.parquet": ("PAR1", "is damaged or no Parquet file"),
    "a.mat": ("MATLAB 7.3 MAT-file", "is a MATLAB 7.3 file, but must be of version 7 or less"),
    "b.mat": ("x" * 500, "is damaged or no MATLAB file"),
    "a.txt": ("1,2", "ends in .txt, but must end in one of .npy"),
}


@pytest.mark.parametrize("name", BAD_TEXT)
def test_one_sentence_says_what_is_wrong(name, tmp_path):
    text, message = BAD_TEXT[name]
    path = tmp_path / name
    path.write_bytes(text.encode("latin-1"))
    with pytest.raises((ValueError, TypeError), match=re.escape(message)) as caught:
        read(path)
    told = str(caught.value)
    assert name in told
    assert "\n" not in told
    assert told.isprintable()


def test_truncated_files(tmp_path):
    for name, write in MATRICES.items():
        write(tmp_path / name)
        content = (tmp_path / name).read_bytes()
        short = tmp_path / f"short-{name}"
        short.write_bytes(content[: int(len(content) * 0.6)])
        if name.endswith((".csv", ".tsv")):
            continue  # half a table is a table with fewer rows
        with pytest.raises((ValueError, TypeError)) as caught:
            read(short)
        assert f"short-{name}" in str(caught.value)


def test_numbers_that_are_none(tmp_path):
    np.save(tmp_path / "a.npy", np.array([[1.0, 2.0], [np.nan, 0.0]]))
    with pytest.raises(ValueError, match=r"entry \[1, 0\] is nan, but every entry must be"):
        read(tmp_path / "a.npy")
    np.save(tmp_path / "b.npy", np.array([["a", "b"]]))
    with pytest.raises(TypeError, match="holds <U1 entries, but must hold real numbers"):
        read(tmp_path / "b.npy")
    np.save(tmp_path / "c.npy", np.ones((2, 2)) * 1j)
    with pytest.raises(TypeError, match="holds complex128 entries"):
        read(tmp_path / "c.npy")
    np.save(tmp_path / "d.npy", np.zeros((2, 2, 2)))
    with pytest.raises(ValueError, match=r"has shape \(2, 2, 2\), but must have two axes"):
        read(tmp_path / "d.npy")
    table = pl.DataFrame({"source": ["a", None], "target": ["b", "c"], "weight": [1.0, 2.0]})
    table.write_parquet(tmp_path / "a.parquet")
    with pytest.raises(ValueError, match="source is missing in row 1"):
        read(tmp_path / "a.parquet")
    table.with_columns(weight=pl.lit("x")).write_parquet(tmp_path / "b.parquet")
    with pytest.raises(TypeError, match="column weight holds String, but must hold numbers"):
        read(tmp_path / "b.parquet")


def test_headers_that_promise_more_than_there_is(tmp_path):
    with (tmp_path / "a.npy").open("wb") as file:
        np.lib.format.write_array_header_1_0(
            file, {"descr": "<f8", "fortran_order": False, "shape": (20_000, 20_000)}
        )
    with pytest.raises(ValueError, match="is truncated: it should hold 3,200,000,000 bytes"):
        read(tmp_path / "a.npy")
    header = json.dumps({"W": {"dtype": "F64", "shape": [9, 9], "data_offsets": [0, 648]}}).encode()
    (tmp_path / "a.safetensors").write_bytes(struct.pack("<Q", len(header)) + header)
    with pytest.raises(ValueError, match="is damaged or no safetensors file"):
        read(tmp_path / "a.safetensors")


def test_what_is_too_large(tmp_path, monkeypatch):
    monkeypatch.setattr(limits, "MOST_BYTES", 100)
    monkeypatch.setattr(edges, "MOST_EDGES", 3)
    np.save(tmp_path / "a.npy", DENSE)
    with pytest.raises(ValueError, match="holds 128 bytes in one array, but must hold at most 100"):
        read(tmp_path / "a.npy")
    write_edges_csv(tmp_path / "a.csv")
    with pytest.raises(ValueError, match="there are more than 3 edges"):
        read(tmp_path / "a.csv")


def test_choosing_an_array(tmp_path):
    path = tmp_path / "a.npz"
    np.savez(path, U=np.eye(2), W=DENSE)
    with pytest.raises(ValueError, match=r"choose an array from U \(2, 2\), W \(4, 4\)"):
        read(path)
    assert read(path, array="U").units == 2
    with pytest.raises(ValueError, match="array is 'V', but"):
        read(path, array="V")
    write_npy(tmp_path / "a.npy")
    with pytest.raises(ValueError, match="holds only one"):
        read(tmp_path / "a.npy", array="W")
    with pytest.raises(ValueError, match="format is 'xls'"):
        read(path, format="xls")
    with pytest.raises(IsADirectoryError, match="is a folder"):
        read(tmp_path)
    with pytest.raises(FileNotFoundError, match="does not exist"):
        read(tmp_path / "none.npy")
