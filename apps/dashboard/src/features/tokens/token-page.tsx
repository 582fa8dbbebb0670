import { Button, Title } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import type { TokenRecord } from '@gatehouse/contract'
import { Link } from 'react-router'
import { paths } from '../../entities/paths.ts'
import { useCan } from '../../lib/session/session.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { Page } from '../../ui/page/page.tsx'
import { TokenGenerator } from './token-generator.tsx'
import { TokenList } from './token-list.tsx'

interface TokenPageProps {
  /** What a token can call: another feature's answer. Absent where the user may not ask. */
  renderAccess?: ((tokenId: number) => ReactNode) | undefined
}

/** The token box (spec: personal-token) and, below it, the list of tokens (spec: sessions). */
export function TokenPage({ renderAccess }: TokenPageProps) {
  const can = useCan()
  const [explained, setExplained] = useState<TokenRecord>()
  return (
    <Page
      title="Personal Access Token"
      subtitle="A token opens the endpoints of the gateway and the workflows that the roles of its user have access to, and nothing else."
      actions={
        <Button component={Link} to={paths.tokenIssuers} size="xs" variant="default">
          Token issuers
        </Button>
      }
    >
      {can('token.create') && <TokenGenerator />}
      <Title order={3} mt="sm">
        Tokens
      </Title>
      <TokenList onExplain={renderAccess && setExplained} />
      <Dialog
        isOpen={explained !== undefined}
        title={`What can this token call, and why? ${explained?.name ?? ''}`}
        onClose={() => setExplained(undefined)}
      >
        {explained && renderAccess?.(explained.id)}
      </Dialog>
    </Page>
  )
}
