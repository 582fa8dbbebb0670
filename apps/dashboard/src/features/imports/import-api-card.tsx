import { Anchor, Badge, SimpleGrid, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router'
import { MethodBadge } from '../../entities/endpoint/method-badge.tsx'
import { paths } from '../../entities/paths.ts'
import { BareCheckbox } from '../../ui/bare-checkbox.tsx'
import { FormCard } from '../../ui/form-card.tsx'
import { ShowAll } from '../../ui/show-all.tsx'
import type { ApiChoice } from './import-choice.ts'
import type { PreviewApi } from './import-queries.ts'
import classes from './imports.module.css'

interface ImportApiCardProps {
  api: PreviewApi
  choice: ApiChoice
  errorOf: (field: string) => string | undefined
  onChange: (next: ApiChoice) => void
}

const shownAtFirst = 200

/** One server of a document: the API that it becomes, and its operations. */
export function ImportApiCard({ api, choice, errorOf, onChange }: ImportApiCardProps) {
  const [isWhole, setIsWhole] = useState(false)
  const all = api.operations
  const shown = isWhole ? all : all.slice(0, shownAtFirst)
  const set = (operations: ReadonlySet<string>) => onChange({ ...choice, operations })

  function toggle(key: string) {
    const next = new Set(choice.operations)
    if (!next.delete(key)) next.add(key)
    set(next)
  }
  const isAll = choice.operations.size === all.length
  return (
    <FormCard title={api.key} description={api.description === '' ? undefined : api.description}>
      <BareCheckbox
        label="Import this API"
        isChecked={choice.isChosen}
        onToggle={() => onChange({ ...choice, isChosen: !choice.isChosen })}
      />
      {choice.isChosen && (
        <>
          {api.api ? (
            <Text size="sm">
              The API{' '}
              <Anchor component={Link} underline="always" to={paths.apiEdit(api.api.id)}>
                {api.api.name}
              </Anchor>{' '}
              has this base URL. It stays as it is.
            </Text>
          ) : (
            <NewApiFields choice={choice} errorOf={errorOf} onChange={onChange} />
          )}
          <div>
            <BareCheckbox
              label={<b>{`All ${all.length.toLocaleString('en')} operations`}</b>}
              isChecked={isAll}
              isPartly={!isAll && choice.operations.size > 0}
              onToggle={() => set(new Set(isAll ? [] : all.map(({ key }) => key)))}
            />
          </div>
          <ul className={classes['operations']} aria-label={`Operations of ${api.key}`}>
            {shown.map((operation) => (
              <li key={operation.key}>
                <BareCheckbox
                  label={<Operation operation={operation} />}
                  isChecked={choice.operations.has(operation.key)}
                  onToggle={() => toggle(operation.key)}
                />
                <ActionBadge operation={operation} />
              </li>
            ))}
          </ul>
          <ShowAll
            count={all.length}
            shown={shown.length}
            noun="operations"
            onShow={() => setIsWhole(true)}
          />
        </>
      )}
    </FormCard>
  )
}

function NewApiFields({ choice, errorOf, onChange }: Omit<ImportApiCardProps, 'api'>) {
  return (
    <>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <TextInput
          label="API Name"
          value={choice.name}
          error={errorOf('name')}
          onChange={(event) => onChange({ ...choice, name: event.currentTarget.value })}
        />
        <TextInput
          label="Base URL"
          value={choice.url}
          error={errorOf('api_url')}
          placeholder="https://"
          spellCheck={false}
          onChange={(event) => onChange({ ...choice, url: event.currentTarget.value })}
        />
      </SimpleGrid>
      <Text size="sm" c="dimmed">
        It is made active and asks callers for a personal token. No role has access to its endpoints
        until you give it.
      </Text>
    </>
  )
}

type Shown = PreviewApi['operations'][number]

function Operation({ operation }: { operation: Shown }) {
  const { method_type, path, summery, parameters } = operation
  const count = parameters.length
  return (
    <span className={classes['operation']}>
      <span className={classes['route']}>
        <MethodBadge method={method_type} />
        {path}
      </span>
      <span className={classes['about']}>
        {summery}
        {count > 0 && `, ${count} ${count === 1 ? 'parameter' : 'parameters'}`}
      </span>
    </span>
  )
}

const fieldWords: Record<string, string> = { summery: 'summary' }

function ActionBadge({ operation: { action, changes } }: { operation: Shown }) {
  if (action === 'create') return <Badge color="green">new</Badge>
  if (action === 'left') return <Badge color="gray">there already</Badge>
  const words = changes.map((field) => fieldWords[field] ?? field).join(', ')
  return <Badge color="orange">{`changes ${words}`}</Badge>
}
