// What of a statement has to be seen on each kind of database.

/** Names, values, and what all databases read alike. */
const plain =
  /^(?:"[^"]*"|[?.,()=<>*\s]|\b(?:select|insert|into|values|update|set|delete|from|where|and|or|is|not|null|in|order|by|asc|desc|limit|offset|inner|left|join|on|as|returning|begin|immediate|commit|rollback)\b)*$/

/**
 * Of a plain statement the columns that it writes, or the tables that it reads; any other as it is, but for
 * numbers, and for how many values its lists have. Empty for what only SQLite has.
 *
 * @param {string} sql
 * @returns {string[]}
 */
export function statementKeys(sql) {
  const text = sql
    .trim()
    .replace(/\s+/g, ' ')
    .replace(/\b\d+\b/g, '0')
    .replace(/\?(, \?)+/g, '?')
    .replace(/(\(\?\))(, \(\?\))+/g, '$1')
  if (/^pragma/i.test(text)) return []
  if (!plain.test(text)) return [text]
  const [, into, columns = ''] = /^insert into "(\w+)" \(([^)]*)\)/.exec(text) ?? []
  if (into) return namesIn(columns).map((column) => `insert ${into}.${column}`)
  const [, table, changes = ''] = /^update "(\w+)" set (.*?)(?: where|$)/.exec(text) ?? []
  if (table) return namesIn(changes).map((column) => `update ${table}.${column}`)
  const verb = text.split(' ', 1)[0]
  return [...text.matchAll(/(?:from|join) "(\w+)"/g)].map(([, name]) => `${verb} ${name}`)
}

/** @param {string} list */
const namesIn = (list) => [...list.matchAll(/"(\w+)"/g)].map(([, name]) => name)
