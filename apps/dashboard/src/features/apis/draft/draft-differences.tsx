import { Table, Text } from '@mantine/core'
import type { SubmittedApi } from '@gatehouse/contract'
import { changesOf, plainText } from '../../../lib/compare-values.ts'
import { wordsOf } from '../../../ui/form-labels.ts'

interface DraftDifferencesProps {
  api: SubmittedApi
  draft: SubmittedApi
}

/** What a draft changes, field by field. Secrets are in neither. */
export function DraftDifferences({ api, draft }: DraftDifferencesProps) {
  const changes = changesOf({ ...api }, { ...draft }).filter(({ path }) => path !== 'version')
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
          {changes.map(({ path, base, mine }) => (
            <Table.Tr key={path}>
              <Table.Th scope="row">{wordsOf(path)}</Table.Th>
              <Shown value={base} />
              <Shown value={mine} />
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}

function Shown({ value }: { value: unknown }) {
  const text = typeof value === 'string' ? value : value === null ? '' : plainText(value ?? '')
  return (
    <Table.Td style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
      {text === '' ? (
        <Text span size="sm" c="dimmed">
          blank
        </Text>
      ) : (
        <bdi>{text}</bdi>
      )}
    </Table.Td>
  )
}
