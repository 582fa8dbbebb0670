import { Table, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { SubmittedApi } from '@gatehouse/contract'
import { changesOf, plainText } from '../../../lib/format/compare-values.ts'
import { useFieldLabels } from '../../../ui/form/use-field-labels.ts'
import { apiWords } from '../form/api-form-words.ts'

interface DraftDifferencesProps {
  api: SubmittedApi
  draft: SubmittedApi
}

/** What a draft changes, field by field as the form below calls them. Secrets are in neither. */
export function DraftDifferences({ api, draft }: DraftDifferencesProps) {
  const changes = changesOf({ ...api }, { ...draft }).filter(({ path }) => path !== 'version')
  const labels = useFieldLabels(changes.map(({ path }) => path))
  if (changes.length === 0)
    return (
      <Text size="sm">It differs from the settings in force in secrets alone, or in nothing.</Text>
    )
  return (
    <Table.ScrollContainer minWidth={480}>
      <Table aria-label="What differs">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Field</Table.Th>
            <Table.Th>In force</Table.Th>
            <Table.Th>Draft</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {changes.map(({ path, base, mine }, at) => (
            <Table.Tr key={path}>
              <Table.Th scope="row">{labels[at]}</Table.Th>
              <Shown value={base} words={apiWords[path]} />
              <Shown value={mine} words={apiWords[path]} />
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}

function Shown({ value, words = textOf }: { value: unknown; words?: typeof textOf | undefined }) {
  const shown = words(value)
  return (
    <Table.Td style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
      {shown === '' ? (
        <Text span size="sm" c="dimmed">
          blank
        </Text>
      ) : (
        <bdi>{shown}</bdi>
      )}
    </Table.Td>
  )
}

function textOf(value: unknown): ReactNode {
  return typeof value === 'string' ? value : value === null ? '' : plainText(value ?? '')
}
