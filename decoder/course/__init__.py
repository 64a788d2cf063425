"""The course: Markdown files under content/ read into dives and chapters."""
