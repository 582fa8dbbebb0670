import { Text } from '@mantine/core'
import type { Chosen } from '../../entities/permission/permission-choice.ts'
import { useMenuEntries, type ShownEntry } from '../../entities/permission/menu-entries.ts'
import { FormCard } from '../../ui/form/form-card.tsx'
import classes from './role-sees.module.css'

/** What a person with these permissions finds in the sidebar, and how much they may change. */
export function RoleSees({ chosen }: { chosen: Chosen }) {
  const entries = useMenuEntries().filter(
    ({ permission }) => permission === 'session' || chosen.has(permission),
  )
  const groups = Map.groupBy(entries, ({ group }) => group ?? '')
  return (
    <FormCard title="A person with this role will see">
      <div aria-live="polite">
        {entries.length === 0 ? (
          <Text size="sm" c="dimmed">
            Nothing of the dashboard. Endpoints are opened under API access.
          </Text>
        ) : (
          <dl className={classes['sees']}>
            {[...groups].map(([group, shown]) => (
              <div key={group}>
                <dt>{group === '' ? 'Home' : group}</dt>
                <dd>{shown.map(labelOf).join(' · ')}</dd>
              </div>
            ))}
          </dl>
        )}
      </div>
      <Text size="sm" c="dimmed">
        {mayChange(chosen)
          ? 'They may also change, send or delete what is ticked.'
          : 'They may look at it, and change nothing.'}
      </Text>
    </FormCard>
  )
}

const labelOf = ({ label }: ShownEntry) => label

const mayChange = (chosen: Chosen) => [...chosen].some((name) => !/\.(?:view|download)$/.test(name))
