"""Shared by all programs: arguments of the command line, files of results, progress bars."""
