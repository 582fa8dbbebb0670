import { generatedNumber, number, text } from './column.ts'

/** Runs whose words have to be read, or read again. The database adds to it with each change of a run. */
export const searchTodo = {
  id: generatedNumber,
  run_id: number,
}

/** Words of letters that runs have, or had. */
export const searchWord = {
  word: text,
}

/** One row: how far the runs from before the search have their words. */
export const searchProgress = {
  id: number,
  /** Runs with smaller ids do not have their words yet. 0 or 1: all have. */
  below: number,
  first_below: number,
}
