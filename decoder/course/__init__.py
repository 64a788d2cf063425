"""The course: Markdown files under a content folder, read into dives and checked."""
