"""Wrong implementations, made from the pure build of jsonscan by small edits of its source.

``NAMES.md`` says what each name stands for, ``named.py`` how it is made, ``equivalent.txt`` why a few automatic mutants live.
"""
