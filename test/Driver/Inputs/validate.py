# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# validate.py SCHEMA.json FILE.json...: is each file what the schema says?
import json
import sys

import jsonschema

with open(sys.argv[1]) as file:
    schema = json.load(file)
validator = jsonschema.validators.validator_for(schema)(schema)
for name in sys.argv[2:]:
    with open(name) as file:
        for error in validator.iter_errors(json.load(file)):
            sys.exit(f"{name}: {error.json_path}: {error.message}")
