import { printableJson } from '../../../catalog/plain-text';
import { deviceText } from './device-text';
import type { StoredFinding } from './stored-finding';

/** A command for `git bisect run` that judges one commit of a kernel tree by the program of a finding. */
export function bisectText(finding: StoredFinding): string {
  const { program, difference } = finding;
  return `#!/bin/sh
# Judges one commit of a kernel tree, for \`git bisect run\`, by a program that verbspec explore has found on
# ${deviceText(finding)}: ${comment(`${difference.verb} ${difference.what}`)}.
#
#   cd linux && git bisect start BAD GOOD -- drivers/infiniband
#   VERBSPEC=~/verbspec git bisect run FILE KERNEL
#
# ci/templates/bisect.sh of verbspec says what KERNEL is, what else may be set, and what the exit codes mean.
set -u

if [ $# -ne 1 ] || [ ! -f "\${VERBSPEC:-}/ci/templates/bisect.sh" ]; then
  echo 'usage: VERBSPEC=FOLDER_OF_VERBSPEC bisect.sh KERNEL' >&2
  exit 128
fi
finding=$(mktemp -d) || exit 128
trap 'rm -rf "$finding"' EXIT
trap 'exit 128' HUP INT TERM
cat > "$finding/finding.json" <<'END_OF_PROGRAM'
${printableJson(program)}
END_OF_PROGRAM
sh "$VERBSPEC/ci/templates/bisect.sh" "$1" "$finding/finding.json"
`;
}

const comment = (text: string): string => text.replace(/[^\x20-\x7e]/g, '?');
