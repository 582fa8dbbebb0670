import { Badge, Text } from '@mantine/core'
import { useState } from 'react'
import { ShowAll } from '../../ui/table/show-all.tsx'
import type { ConfigurationDiff } from './configuration-queries.ts'
import classes from './configuration.module.css'

type Change = ConfigurationDiff['things'][number]

const colors: Record<string, string> = { add: 'green', change: 'orange', remove: 'red' }
const shownAtFirst = 100

/** Each thing that would be added, changed or removed, with the fields that differ. */
export function ChangeList({ things }: { things: readonly Change[] }) {
  const [isWhole, setIsWhole] = useState(false)
  const shown = isWhole ? things : things.slice(0, shownAtFirst)
  if (things.length === 0) return <Text size="sm">There is nothing to change.</Text>
  return (
    <div>
      <ul className={classes['list']} aria-label="Changes">
        {shown.map((thing) => (
          <li key={`${thing.section} ${thing.name}`} className={classes['thing']}>
            <ThingHead {...thing} />
            {thing.fields.map(({ field, before, after }) => (
              <div key={field} className={classes['field']}>
                <code>{field}</code>
                <span>
                  {before ?? 'nothing'} → {after ?? 'nothing'}
                </span>
              </div>
            ))}
          </li>
        ))}
      </ul>
      <ShowAll
        count={things.length}
        shown={shown.length}
        noun="changes"
        onShow={() => setIsWhole(true)}
      />
    </div>
  )
}

type ThingHeadProps = Pick<Change, 'section' | 'name' | 'action'>

export function ThingHead({ section, name, action }: ThingHeadProps) {
  return (
    <div className={classes['head']}>
      <Badge color={colors[action] ?? 'gray'}>{action}</Badge>
      <b>{name}</b>
      <Text size="sm" c="dimmed">
        {section.replaceAll('_', ' ')}
      </Text>
    </div>
  )
}
