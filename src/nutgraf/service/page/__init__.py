"""The page of the service: a form, and the summary beside its sources. It is of use without JavaScript, too."""
