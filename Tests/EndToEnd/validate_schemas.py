"""Checks the JSON Schemas, and texts against them, with PyPI's jsonschema:

    validate_schemas.py SCHEMAS FOLDER

SCHEMAS is the folder of the schemas. FOLDER has the texts: NAME.txt has an object of the schema NAME in each line.
"""

import json
import pathlib
import sys

import jsonschema

schemas, folder = map(pathlib.Path, sys.argv[1:])
validators = {}
for path in sorted(schemas.glob("*.json")):
    schema = json.loads(path.read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    validators[path.stem] = jsonschema.Draft202012Validator(schema)
count = 0
for path in sorted(folder.glob("*.txt")):
    validator = validators[path.stem]
    for line in path.read_text().splitlines():
        if not line:
            continue
        value = json.loads(line)
        validator.validate(value)
        # A value of the wrong type is found.
        broken = {key: [None] for key in value}
        assert not validator.is_valid(broken), path
        count += 1
assert count > 0
print(f"{len(validators)} schemas, {count} texts: ok")
