// Copy buttons: for a text, or for the page's data as a shell command.
import { Button, Tooltip } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import { IconCheck, IconCopy } from './icons.tsx'

export function CopyButton({
  text,
  label = 'Copy',
  variant = 'default',
}: {
  readonly text: string
  readonly label?: string
  readonly variant?: 'default' | 'filled' | 'subtle'
}) {
  const clipboard = useClipboard({ timeout: 1500 })
  return (
    <Button
      variant={variant}
      size="xs"
      leftSection={clipboard.copied ? <IconCheck /> : <IconCopy />}
      onClick={() => clipboard.copy(text)}
      aria-live="polite"
    >
      {clipboard.copied ? 'Copied' : label}
    </Button>
  )
}

/** `path` is a path of API v1: `/series/ser_…/values?asOf=2024-04-01`. */
export function curlOf(path: string, key = '$ASSIZE_KEY'): string {
  return `curl -sH "Authorization: Bearer ${key}" "${location.origin}/v1${path}"`
}

/** Copies the API call that returns what this page shows. */
export function CopyAsCurl({ path }: { readonly path: string }) {
  return (
    <Tooltip label="The same figures from the API, for a shell with ASSIZE_KEY set">
      <span>
        <CopyButton text={curlOf(path)} label="Copy as curl" variant="subtle" />
      </span>
    </Tooltip>
  )
}
