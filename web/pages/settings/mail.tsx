// E-mails that a person gets from this workspace: each kind, and whether they come one by one or as a daily summary.
import { Radio, Switch } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { mailKindWords, type OptionalMailKind, optionalMailKinds } from '../../../src/core/people/mail-kinds.ts'
import type { MailSettings } from '../../../src/views/shapes/settings.ts'
import { api } from '../../api.ts'
import { LoadingRows, Section, Trouble } from '../../components/page/page.tsx'
import { useWorkspace } from '../../session.ts'
import classes from './settings.module.css'

export function Mail() {
  const { slug, path } = useWorkspace()
  const queries = useQueryClient()
  const queryKey = ['w', slug, 'mail']
  const { data, error, refetch } = useQuery({ queryKey, queryFn: ({ signal }) => api.get(path('/mail'), signal) })
  const [failure, setFailure] = useState<unknown>(null)
  const change = async (changed: { isDigest?: boolean; muted?: OptionalMailKind[] }) => {
    setFailure(null)
    // The new settings show at once, then those that the server stored; after an error, the old ones.
    queries.setQueryData<MailSettings>(queryKey, before => before && { ...before, ...changed })
    const answer = await api.patch(path('/mail'), changed).catch(setFailure)
    if (answer === undefined) await refetch()
    else queries.setQueryData(queryKey, answer)
  }
  if (error !== null) return <Trouble error={error} retry={() => void refetch()} />
  if (data === undefined) return <LoadingRows rows={4} />
  const { isOn, email, isDigest, muted } = data
  return (
    <>
      {failure !== null && <Trouble error={failure} />}
      <Section title="Notifications by mail">
        <p className="soft prose">
          {isOn
            ? `Mail goes to ${email}, from this workspace. A mail names its subject and contains no figures.`
            : 'This installation sends no mail, because SMTP_URL is not set. Your choices count once it is set.'}
        </p>
        <ul className={classes.kinds}>
          {optionalMailKinds.map(kind => (
            <li key={kind}>
              <Switch
                label={mailKindWords[kind].title}
                description={`When ${mailKindWords[kind].when}`}
                checked={!muted.includes(kind)}
                onChange={event => {
                  const others = muted.filter(each => each !== kind)
                  void change({ muted: event.currentTarget.checked ? others : [...others, kind] })
                }}
              />
            </li>
          ))}
        </ul>
      </Section>
      <Section title="How often">
        <Radio.Group
          aria-label="How often"
          value={isDigest ? 'digest' : 'each'}
          onChange={value => void change({ isDigest: value === 'digest' })}
        >
          <div className={classes.form}>
            <Radio
              value="each"
              label="As it happens"
              description="At most one mail of each kind an hour; later events are in the next mail"
            />
            <Radio
              value="digest"
              label="Once a day"
              description="Everything from the day before in one mail, at 6:00 UTC"
            />
          </div>
        </Radio.Group>
      </Section>
    </>
  )
}
