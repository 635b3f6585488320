# SPDX-License-Identifier: GPL-2.0-or-later
"""Protects which files are taken for one capture, in which order, and which of them are missing. Leaves what they hold to test_stream.py."""

import pytest

from capture_bytes import ETHERNET, enhanced, interface, pcap, section
from joined_reports import TOP  # noqa: F401  (makes the project's packages known)
from sctpa.sequence import rings


def write(folder, **forms):
    """Files of these names and contents; dots in names are written __."""
    paths = []
    for name, form in forms.items():
        path = folder / name.replace("__", ".")
        path.write_bytes(form)
        paths.append(str(path))
    return paths


def names_of(parts):
    return [part.path.rpartition("/")[2] for part in parts]


@pytest.mark.parametrize("names, ordered", [
    (["r_00010_20240101000200.pcapng", "r_00009_20240101000100.pcapng.gz"], [1, 0]),
    (["r_20240101000200_00010.pcapng", "r_20240101000100_00009.pcapng"], [1, 0]),
    (["A_00002.pcapng", "A_00001.pcapng", "A_100000.pcapng"], [1, 0, 2]),
    (["t.pcap10", "t.pcap2", "t.pcap", "t.pcap1.gz"], [2, 3, 1, 0]),
    (["t-2024-01-01_10-00-00.pcap", "t-2024-01-01_09-59-00.pcap.zst"], [1, 0]),
    (["t_20240201000000.pcap", "t_20240131235900.pcap"], [1, 0]),
])
def test_the_names_of_dumpcap_editcap_and_tcpdump_tell_the_order(names, ordered):
    sequence = rings.of_one([f"/nowhere/{name}" for name in names])
    assert names_of(sequence.parts) == [names[at] for at in ordered]
    assert sequence.how.startswith("in the order of the") and all(part.gap is None or "missing" in part.gap for part in sequence.parts)


def test_files_of_other_days_are_no_ring():
    assert rings.place("/nowhere/t_20240131.pcapng") is None


def test_a_number_that_is_missing_is_a_gap_and_the_oldest_file_need_not_be_the_first():
    numbers = (7, 8, 10, 14)
    sequence = rings.of_one([f"/nowhere/r_{number:05}_2024010100{number:02}00.pcapng" for number in numbers])
    assert [part.gap for part in sequence.parts] == [None, None, "file 00009 is missing", "files 00011 to 00013 are missing"]


def test_numbers_that_begin_again_are_another_run_of_the_program():
    names = ["r_00001_20240102000000.pcap", "r_00002_20240101000100.pcap", "r_00001_20240101000000.pcap"]
    sequence = rings.of_one([f"/nowhere/{name}" for name in names])
    assert names_of(sequence.parts) == [names[2], names[1], names[0]]
    assert [part.gap for part in sequence.parts] == [None, None, "numbering restarts after 00002"]


def test_of_two_runs_the_earlier_one_comes_first_whatever_is_left_of_it():
    names = ["r_00004_20240101000400.pcap", "r_00005_20240101000500.pcap", "r_00001_20240102000000.pcap"]
    sequence = rings.of_one([f"/nowhere/{name}" for name in reversed(names)])
    assert names_of(sequence.parts) == names and [part.gap for part in sequence.parts] == [None, None, "numbering restarts after 00005"]


def test_the_end_of_summer_time_is_no_other_run():
    names = ["r_00001_20241027025900.pcap", "r_00002_20241027020500.pcap"]
    assert names_of(rings.of_one([f"/nowhere/{name}" for name in names]).parts) == names


def test_a_name_with_a_time_that_is_none_is_no_name_of_a_ring():
    assert rings.place("/nowhere/r_00001_20249999999999.pcapng") is None and rings.place("/nowhere/r-20240230-100000.pcapng") is None


def test_a_ring_of_tcpdump_that_came_round_begins_with_the_oldest_file(tmp_path):
    paths = write(tmp_path, t__pcap0=pcap([30]), t__pcap1=pcap([40]), t__pcap2=pcap([10]), t__pcap3=pcap([20]))
    sequence = rings.of_one(paths)
    assert names_of(sequence.parts) == ["t.pcap2", "t.pcap3", "t.pcap0", "t.pcap1"]
    assert {part.gap for part in sequence.parts} == {None} and sequence.how.endswith("oldest first")


def test_names_that_tell_nothing_are_read_as_given_unless_times_tell_otherwise(tmp_path):
    paths = write(tmp_path, first__pcap=pcap([20]), second__pcap=pcap([19.5]), third__pcap=b"", fourth__pcap=pcap([30]))
    assert names_of(rings.of_one(paths).parts) == ["first.pcap", "second.pcap", "third.pcap", "fourth.pcap"]
    turned = rings.of_one(paths[::-1])
    # What has no packet stays behind what it was given behind.
    assert names_of(turned.parts) == ["second.pcap", "first.pcap", "fourth.pcap", "third.pcap"]
    assert turned.how == "in the order of their first packets"


def test_a_file_that_is_named_twice_is_read_once():
    assert len(rings.of_one(["/nowhere/a.pcap", "/nowhere/a.pcap"]).parts) == 1


def groups(paths):
    return [(names_of([rings.Part(path, path) for path in files]), why) for files, why in rings.group(paths)]


def test_files_of_a_ring_are_grouped_and_others_stay_alone(tmp_path):
    paths = write(tmp_path, r_00001_20240101000000__pcap=pcap([1]), r_00002_20240101000001__pcap=pcap([2]), s_00001_20240101000000__pcap=pcap([1]),
                  alone__pcap=pcap([1]), t__pcap=pcap([1]), t__pcap1=pcap([1]))
    assert groups(paths) == [(["r_00001_20240101000000.pcap", "r_00002_20240101000001.pcap"], "grouped by name"),
                             (["s_00001_20240101000000.pcap"], None), (["alone.pcap"], None), (["t.pcap", "t.pcap1"], "grouped by name")]


def test_the_same_names_in_other_folders_are_other_rings(tmp_path):
    for host in ("a", "b"):
        (tmp_path / host).mkdir()
        write(tmp_path / host, r_00001__pcap=pcap([1]), r_00002__pcap=pcap([2]))
    found = [str(path) for path in sorted(tmp_path.rglob("*.pcap"))]
    assert [len(files) for files, _ in rings.group(found)] == [2, 2]


def test_files_of_other_interfaces_are_other_captures(tmp_path):
    on = {name: section() + interface(name=name) + enhanced(0) for name in (b"eth0", b"eth1")}
    paths = write(tmp_path, r_00001__pcap=on[b"eth0"], r_00002__pcap=on[b"eth1"], r_00003__pcap=on[b"eth0"], r_00004__pcap=on[b"eth1"],
                  r_00005__pcap=b"")
    assert groups(paths) == [(["r_00001.pcap", "r_00003.pcap", "r_00005.pcap"], "grouped by name and interface"),
                             (["r_00002.pcap", "r_00004.pcap"], "grouped by name and interface")]


def test_other_link_types_are_other_captures(tmp_path):
    paths = write(tmp_path, r_00001__pcap=pcap([1]), r_00002__pcap=pcap([2], link_type=1, packet=ETHERNET))
    assert [why for _, why in groups(paths)] == [None, None]


def test_another_run_of_the_program_is_another_capture(tmp_path):
    paths = write(tmp_path, r_00001_20240101000000__pcap=pcap([1]), r_00002_20240101000100__pcap=pcap([2]), r_00001_20240102000000__pcap=pcap([90]),
                  r_00002_20240102000100__pcap=pcap([91]))
    assert [len(files) for files, _ in rings.group(paths)] == [2, 2]


def test_a_capture_and_its_compressed_copy_are_no_sequence(tmp_path):
    paths = write(tmp_path, r_00001__pcap=pcap([1]), r_00001__pcap__gz=pcap([1]), r_00002__pcap=pcap([2]))
    assert sorted(len(files) for files, _ in rings.group(paths)) == [1, 2]
    paths = write(tmp_path, alone__pcap=pcap([1]), alone__pcap__gz=pcap([1]))
    assert [why for _, why in rings.group(paths)] == [None, None]
