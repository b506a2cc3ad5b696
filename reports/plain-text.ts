// What a device, a kernel or a driver process says ends up on terminals: nothing in it may steer them.
const escapeSequence = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[@-Z\\-_])/g;
const controlCharacter = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/** The text without escape sequences and control characters; line ends and tabs stay. */
export function plainText(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(escapeSequence, '').replace(controlCharacter, '');
}

/** The text as one line: each run of white space becomes a blank. */
export function oneLine(text: string): string {
  return plainText(text).replace(/\s+/g, ' ').trim();
}
