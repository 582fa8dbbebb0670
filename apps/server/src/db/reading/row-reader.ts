import pg from 'pg'

/** A column as PostgreSQL describes it. */
export interface Field {
  name: string
  dataTypeID: number
}

/** Turns the texts of a row into an object with the values that pg's parsers make of them. */
export class RowReader {
  readonly #columns: readonly { name: string; parse: (text: string) => unknown }[]

  constructor(fields: readonly Field[]) {
    this.#columns = fields.map(({ name, dataTypeID }) => ({
      name,
      parse: pg.types.getTypeParser(dataTypeID, 'text'),
    }))
  }

  read(texts: readonly (string | null)[]): Record<string, unknown> {
    const row: Record<string, unknown> = {}
    for (const [index, { name, parse }] of this.#columns.entries()) {
      const text = texts[index] ?? null
      row[name] = text === null ? null : parse(text)
    }
    return row
  }
}

/** Of a statement that returns no rows. */
export const noRows = new RowReader([])
