import { AttachmentContentEncoding, type Attachment } from '@cucumber/messages';

/** The bytes of an attachment, however the message carries them. */
export function bytesOf({ body, contentEncoding }: Attachment): Buffer {
  return Buffer.from(body, contentEncoding === AttachmentContentEncoding.BASE64 ? 'base64' : 'utf8');
}

/** The text of an attachment. */
export function textOf(attachment: Attachment): string {
  return bytesOf(attachment).toString('utf8');
}
