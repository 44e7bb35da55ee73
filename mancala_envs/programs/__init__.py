"""What all programs share: arguments of the command line, files of results, progress bars."""
