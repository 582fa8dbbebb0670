import { Text } from '@mantine/core'
import { Fold } from '../../ui/page/fold.tsx'
import { compareVersions, type ComparedField, type ComparedLine } from './compare-versions.ts'
import classes from './version-table.module.css'

type Version = Record<string, unknown> | null

interface VersionTableProps {
  label: string
  /** Above the two versions. */
  heads: readonly [before: string, after: string]
  before: Version
  after: Version
}

/** The fields in which two versions of a record differ. Those that are the same in both are behind a fold. */
export function VersionTable({ label, heads, before, after }: VersionTableProps) {
  const fields = compareVersions(before, after)
  const different = fields.filter(({ isDifferent }) => isDifferent)
  const same = fields.filter(({ isDifferent }) => !isDifferent)
  return (
    <div>
      {different.length > 0 ? (
        <Fields label={label} heads={heads} fields={different} />
      ) : (
        <Text size="sm">No field differs.</Text>
      )}
      {same.length > 0 && (
        <Fold
          title={same.length === 1 ? '1 field is the same' : `${same.length} fields are the same`}
        >
          <Fields label="The same in both versions" heads={heads} fields={same} />
        </Fold>
      )}
    </div>
  )
}

interface FieldsProps {
  label: string
  heads: VersionTableProps['heads']
  fields: readonly ComparedField[]
}

function Fields({ label, heads, fields }: FieldsProps) {
  return (
    <table className={classes['table']} {...role('table')} aria-label={label}>
      <thead {...role('rowgroup')}>
        <tr {...role('row')}>
          <Head name="Field" />
          <Head name={heads[0]} />
          <Head name={heads[1]} />
        </tr>
      </thead>
      <tbody {...role('rowgroup')}>
        {fields.map((field) => (
          <tr key={field.name} {...role('row')} data-different={field.isDifferent}>
            <th {...role('rowheader')} scope="row">
              <bdi>{field.name}</bdi>
            </th>
            <td {...role('cell')}>
              <Lines lines={field.before} kind="removed" />
            </td>
            <td {...role('cell')}>
              <Lines lines={field.after} kind="added" />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** Spelled out, because a table that is laid out as a grid is no table to some browsers. */
const role = (name: string) => ({ role: name })

function Head({ name }: { name: string }) {
  return (
    <th {...role('columnheader')} scope="col">
      {name}
    </th>
  )
}

function Lines({ lines, kind }: { lines: ComparedLine[]; kind: 'removed' | 'added' }) {
  const Mark = kind === 'removed' ? 'del' : 'ins'
  return lines.map(({ text, isDifferent }, index) => (
    // oxlint-disable-next-line react/no-array-index-key -- lines repeat, and never move
    <div key={index} className={classes['line']}>
      {isDifferent ? <Mark>{text}</Mark> : text}
    </div>
  ))
}
