"""Tables announced and found by DNS-SD over multicast DNS."""
