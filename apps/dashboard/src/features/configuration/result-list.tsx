import { Alert, Text } from '@mantine/core'
import { FormCard } from '../../ui/form/form-card.tsx'
import { ThingHead } from './change-list.tsx'
import type { ConfigurationResults } from './configuration-queries.ts'
import classes from './configuration.module.css'

/** What became of each thing: what was refused comes first, with its place in the file. */
export function ResultList({ results }: { results: ConfigurationResults }) {
  const refused = results.filter(({ ok }) => !ok)
  const done = results.length - refused.length
  const words = `${done.toLocaleString('en')} of ${results.length.toLocaleString('en')} done.`
  return (
    <>
      {refused.length === 0 ? (
        <Alert color="green" role="note" title="Applied">
          {words}
        </Alert>
      ) : (
        <FormCard
          title="Applied in part"
          description={`${words} Correct the file and apply it again: the rest is done then.`}
        >
          <ul className={classes['list']} aria-label="Refused">
            {refused.map((result) => (
              <li key={`${result.section} ${result.name}`} className={classes['thing']}>
                <ThingHead {...result} />
                <Text size="sm" c="var(--mantine-color-error)">
                  {result.message}
                </Text>
              </li>
            ))}
          </ul>
        </FormCard>
      )}
    </>
  )
}
