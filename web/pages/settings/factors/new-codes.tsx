// Turns on one-time codes: the QR code for the app, and the first code from it.
import { TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { CodeSecretView } from '../../../../src/views/shapes/factors.ts'
import { api } from '../../../api.ts'
import { AskForm } from '../../../components/dialog/ask-form.tsx'
import { Dialog } from '../../../components/dialog/dialog.tsx'
import { Secret } from '../../../components/dialog/one-time-secret.tsx'
import { LoadingRows, Trouble } from '../../../components/page/page.tsx'
import classes from '../settings.module.css'
import type { Confirmed } from './show-again.tsx'

interface NewCodesProps {
  readonly confirmed: Confirmed
  readonly close: () => void
  readonly begun: (recoveryCodes: readonly string[]) => Promise<void>
}

export function NewCodes({ confirmed, close, begun }: NewCodesProps) {
  const [secret, setSecret] = useState<CodeSecretView | null>(null)
  const [error, setError] = useState<unknown>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: requested once, when the dialog opens.
  useEffect(() => {
    confirmed(() => api.post('/codes/begin', {})).then(setSecret, setError)
  }, [])
  return (
    <Dialog onClose={close} title="Turn on one-time codes">
      {error !== null && <Trouble error={error} />}
      {error === null && secret === null && <LoadingRows rows={4} />}
      {secret !== null && <FirstCode secret={secret} confirmed={confirmed} begun={begun} />}
    </Dialog>
  )
}

interface FirstCodeProps extends Pick<NewCodesProps, 'confirmed' | 'begun'> {
  readonly secret: CodeSecretView
}

function FirstCode({ secret, confirmed, begun }: FirstCodeProps) {
  const [code, setCode] = useState('')
  const turnOn = async () => {
    const made = await confirmed(() => api.post('/codes', { code }))
    await begun(made.recoveryCodes)
  }
  return (
    <AskForm action="Turn on" run={turnOn}>
      <p>Scan this with an app for one-time codes, such as the one for your passwords.</p>
      <Picture text={secret.uri} />
      <div>
        <p className="soft">Or enter the secret by hand:</p>
        <Secret text={secret.secret} shown={inFours(secret.secret)} label="Copy the secret" />
      </div>
      <TextInput
        label="The code it shows now"
        autoComplete="one-time-code"
        inputMode="numeric"
        required
        value={code}
        onChange={event => setCode(event.currentTarget.value)}
      />
    </AskForm>
  )
}

function inFours(text: string): string {
  return text.match(/.{1,4}/g)?.join(' ') ?? text
}

/** Four modules of empty space around it, as QR readers require. */
const quiet = 4

function Picture({ text }: { readonly text: string }) {
  const { data } = useQuery({
    queryKey: ['qr', text],
    queryFn: async () => (await import('qrcode')).create(text, { errorCorrectionLevel: 'M' }).modules,
    gcTime: 0,
  })
  if (data === undefined) return <div className={classes.picture} />
  const { size } = data
  const dark = Array.from({ length: size * size }, (_, i) => i).filter(i => data.data[i])
  const path = dark.map(i => `M${quiet + (i % size)} ${quiet + Math.floor(i / size)}h1v1h-1z`).join('')
  const whole = size + 2 * quiet
  return (
    <svg className={classes.picture} viewBox={`0 0 ${whole} ${whole}`} role="img" aria-label="QR code for the app">
      <rect width={whole} height={whole} fill="#fff" />
      <path d={path} fill="#000" shapeRendering="crispEdges" />
    </svg>
  )
}
