"""What games with pieces on points share: hunts, war games, mills and draughts."""
