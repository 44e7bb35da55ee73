"""The environments: PettingZoo AEC, Gymnasium and Gymnasium vector."""
