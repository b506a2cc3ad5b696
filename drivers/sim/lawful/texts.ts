import type { Variants } from './variant';

export const variants: Variants = {
  'texts-of-other-words': {
    does: 'texts for enumerators have other words, in upper case',
    because: 'the page leaves the wording to libibverbs',
    uses: ['ibv_event_type_str'],
    parts: (of) => ({
      Texts: class extends of.Texts {
        override ofEventType(value: string): string {
          return super.ofEventType(value).toUpperCase();
        }

        override ofNodeType(value: string): string {
          return super.ofNodeType(value).toUpperCase();
        }

        override ofPortState(value: string): string {
          return super.ofPortState(value).toUpperCase();
        }
      },
    }),
  },
  'texts-move': {
    does: 'a text stands at another address each time',
    because: 'the page promises a constant string, and not that it is the same one each time',
    uses: ['ibv_event_type_str.constant-string'],
    parts: (of) => ({
      Texts: class extends of.Texts {
        #given = 0n;

        override addressOf(text: string): bigint {
          this.#given += 0x1000n;
          return super.addressOf(text) + this.#given;
        }
      },
    }),
  },
};
