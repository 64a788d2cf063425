"""HTTP only: parse a request, make one call down, render. One blueprint per subject."""
