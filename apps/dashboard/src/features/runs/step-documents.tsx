import { Anchor, Group, Text } from '@mantine/core'
import { Link } from 'react-router'
import type { RunStepDetail } from '@gatehouse/contract'
import { DocumentBadge } from '../../entities/document/document-badge.tsx'
import { paths } from '../../entities/paths.ts'
import { Fold } from '../../ui/page/fold.tsx'
import classes from './runs.module.css'
import { serverWords } from '../../lib/calls/server-words.tsx'

/** What became of each document of a request that carries several. */
export function StepDocuments({ step }: { step: RunStepDetail }) {
  const { documents, position } = step
  return (
    <Fold title={`${documents.length} documents`} isInitiallyOpen={documents.length <= openMax}>
      <ul className={classes['documents']} aria-label={`Documents of step ${position}`}>
        {documents.map((document) => (
          <li key={document.id}>
            <Group gap="xs">
              <Anchor component={Link} to={paths.document(document.id)} size="sm" fw={600}>
                <bdi>{document.reference}</bdi>
              </Anchor>
              <DocumentBadge state={document.state} />
              {document.authority_reference !== null && (
                <Text size="sm" c="dimmed" className={classes['wrapped'] ?? ''}>
                  <bdi>{document.authority_reference}</bdi>
                </Text>
              )}
            </Group>
            {document.message !== null && (
              <Text size="sm" className={classes['wrapped'] ?? ''}>
                {serverWords(document.message)}
              </Text>
            )}
          </li>
        ))}
      </ul>
    </Fold>
  )
}

/** More of them would push the rest of the step off the screen. */
const openMax = 12
