import { Refusal } from './refusal';

/**
 * Posts a list of work requests up to the first that is refused, which the refusal names by its index in `badWr`:
 * ibv_post_send(3), ibv_post_recv(3), ibv_post_srq_recv(3).
 */
export function postAll<T>(wrs: readonly T[], post: (wr: T) => void): void {
  for (const [badWr, wr] of wrs.entries()) {
    try {
      post(wr);
    } catch (error) {
      throw error instanceof Refusal ? new Refusal(error.name, { badWr }) : error;
    }
  }
}
