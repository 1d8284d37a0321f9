"""What remote methods call."""
