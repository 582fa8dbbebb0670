/** Something wrong in a text, in a range that is half open. */
interface TextProblem {
  from: number
  to: number
  message: string
}

export interface Completion {
  label: string
  /** What it stands for now. */
  detail: string
  /** What replaces the text from `from` to the cursor. */
  text: string
}

/** What helps with typing in an editor. */
export interface TextAssist {
  /** Underlined, with the message on hover. */
  problemsIn: (text: string) => readonly TextProblem[]
  /** What may be meant at the cursor; undefined where nothing is offered. */
  completionsAt: (
    text: string,
    position: number,
  ) => { from: number; options: readonly Completion[] } | undefined
}

/** Longer texts are not looked through while they are typed. */
export const assistMaxLength = 200_000
