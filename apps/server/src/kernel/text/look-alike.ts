// Letters that look like Latin ones, of scripts that are common on keyboards (Unicode UTS #39,
// confusables.txt, the rows that meet these Latin letters). Digits and signs count as the letters that they look like.
const alike: Record<string, string> = {
  а: 'a',
  ɑ: 'a',
  α: 'a',
  '@': 'a',
  '4': 'a',
  ԁ: 'd',
  е: 'e',
  ҽ: 'e',
  є: 'e',
  ε: 'e',
  '3': 'e',
  і: 'i',
  ї: 'i',
  ı: 'i',
  ι: 'i',
  ӏ: 'i',
  l: 'i',
  '1': 'i',
  '|': 'i',
  '!': 'i',
  j: 'i',
  ј: 'i',
  м: 'm',
  ϻ: 'm',
  п: 'n',
  ո: 'n',
  η: 'n',
  р: 'p',
  ρ: 'p',
  ҏ: 'p',
  г: 'r',
  ꭇ: 'r',
  ѕ: 's',
  ꜱ: 's',
  '5': 's',
  $: 's',
  υ: 'u',
  ս: 'u',
  ц: 'u',
  ʋ: 'u',
  v: 'u',
  ν: 'u',
}

/**
 * What a name looks like to a person who reads it quickly: without case, width, accents, what can't be
 * seen, spaces and punctuation, and with letters of other scripts as the Latin ones that they resemble.
 */
function skeleton(name: string): string {
  const plain = name
    .normalize('NFKD')
    .replace(/[\p{Default_Ignorable_Code_Point}\p{M}\p{C}]/gu, '')
    .toLowerCase()
  const letters = [...plain].map((letter) => alike[letter] ?? letter).join('')
  return letters.replace(/[^\p{L}\p{N}]/gu, '').replaceAll('rn', 'm')
}

export const looksLike = (name: string, other: string) => skeleton(name) === skeleton(other)

export const lookAlikeMessage = 'This name looks like Super Admin. Choose another one.'

/**
 * Letters of other scripts beside the Latin one that each is drawn as, in the case that it is drawn in (UTS #39,
 * confusables.txt). Digits and signs are no letters: Clerk 1 and Clerk l are two names.
 */
const twins = new Map(
  [
    ['АВЕЅІЈКМНОРСТУХҮԚԜӀ', 'ABESIJKMHOPCTYXYQWI'],
    ['асеһіјӏорԛѕуѵԝхԁ', 'acehijlopqsyvwxd'],
    ['ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ', 'ABEZHIKMNOPTYX'],
    ['αικνορυχ', 'aikvopux'],
    ['ՍՏՕսոօհ', 'USOunoh'],
    ['ıɑɡɩ', 'iagi'],
  ].flatMap(([others = '', latin = '']) =>
    [...others].map((letter, at): [string, string] => [letter, latin[at] ?? letter]),
  ),
)

/**
 * The same for names that nobody can tell apart on a screen: without what can't be seen, with each white space as
 * one blank, and with letters of other scripts as the Latin ones that they are drawn as. Case and width don't count.
 */
function twinKey(name: string): string {
  const seen = name
    .normalize('NFKC')
    .replace(/[\p{Default_Ignorable_Code_Point}\p{Cf}]/gu, '')
    .replace(/\s+/gu, ' ')
    .trim()
  return [...seen]
    .map((letter) => twins.get(letter) ?? letter)
    .join('')
    .toLowerCase()
}

export const twinMessage = 'This looks like one that is already in use.'

/** Whether another of these looks the same. */
export function hasTwin(
  text: string,
  others: readonly { id: number; text: string }[],
  ownId?: number,
): boolean {
  const key = twinKey(text)
  return others.some((other) => other.id !== ownId && twinKey(other.text) === key)
}
