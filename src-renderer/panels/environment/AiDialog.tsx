/** Dialog that edits the notebook's AI settings: provider, model, URL and limits. */

import { useEffect, useId, useState } from 'react';
import { type AiRequest, readModels } from '../../live/ai.ts';
import { RestError } from '../../live/rest.ts';
import { TextField } from '../../ui/Field.tsx';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { AI_WORDS } from '../../words/prompts.ts';

const HTTP_URL = /^https?:\/\/[^\s/?#@]+(\/[^\s?#@]*)?$/i;

/** The notebook's own AI settings. No field holds a key, because keys are variables. */
export function AiDialog(props: {
  readonly sid: string;
  readonly own: AiRequest;
  readonly onClose: () => void;
  /** Returns the error message. */
  readonly onSave: (request: AiRequest) => Promise<string | null>;
}) {
  const { sid, own, onClose, onSave } = props;
  const [model, setModel] = useState(own.model ?? '');
  const [address, setAddress] = useState(own.base_url ?? '');
  const [tokens, setTokens] = useState(textOf(own.max_output_tokens));
  const [seconds, setSeconds] = useState(textOf(own.timeout_seconds));
  const [context, setContext] = useState(textOf(own.max_context_tokens));
  const [approval, setApproval] = useState(textOf(own.approval_timeout_seconds));
  const [isSubmitted, setIsSubmitted] = useState(false);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const models = useModels(sid);
  const list = useId();
  const wrong = {
    address: address.trim() !== '' && !HTTP_URL.test(address.trim()),
    tokens: !isNumber(tokens, true),
    seconds: !isNumber(seconds, false),
    context: !isNumber(context, true),
    approval: !isNumber(approval, false),
  };
  const save = async (): Promise<void> => {
    setIsSubmitted(true);
    if (Object.values(wrong).includes(true)) return;
    setBusy(true);
    setProblem(null);
    const words = await onSave({
      ...own,
      model: model.trim() || null,
      base_url: address.trim() || null,
      max_output_tokens: numberOf(tokens),
      timeout_seconds: numberOf(seconds),
      max_context_tokens: numberOf(context),
      approval_timeout_seconds: numberOf(approval),
    });
    setBusy(false);
    if (words === null) onClose();
    else setProblem(words);
  };
  const plain = { spellCheck: false, autoComplete: 'off' } as const;
  return (
    <FormDialog
      open
      onClose={onClose}
      title={AI_WORDS.dialogTitle}
      go={AI_WORDS.save}
      going={AI_WORDS.saving}
      busy={busy}
      onSubmit={() => void save()}
    >
      {problem === null ? null : <Notice tone="error">{problem}</Notice>}
      <TextField
        {...plain}
        label={AI_WORDS.model}
        hint={AI_WORDS.modelHint}
        value={model}
        onChange={setModel}
        mono
        list={list}
      />
      <datalist id={list}>
        {models.map((name) => (
          <option value={name} key={name} />
        ))}
      </datalist>
      <TextField
        {...plain}
        label={AI_WORDS.address}
        hint={AI_WORDS.addressHint}
        value={address}
        onChange={setAddress}
        mono
        problem={isSubmitted && wrong.address ? AI_WORDS.addressWrong : null}
      />
      <TextField
        {...plain}
        label={AI_WORDS.tokens}
        hint={AI_WORDS.tokensHint}
        value={tokens}
        onChange={setTokens}
        inputMode="numeric"
        problem={isSubmitted && wrong.tokens ? AI_WORDS.numberWrong : null}
      />
      <TextField
        {...plain}
        label={AI_WORDS.seconds}
        hint={AI_WORDS.secondsHint}
        value={seconds}
        onChange={setSeconds}
        inputMode="decimal"
        problem={isSubmitted && wrong.seconds ? AI_WORDS.numberWrong : null}
      />
      <TextField
        {...plain}
        label={AI_WORDS.context}
        hint={AI_WORDS.contextHint}
        value={context}
        onChange={setContext}
        inputMode="numeric"
        problem={isSubmitted && wrong.context ? AI_WORDS.numberWrong : null}
      />
      <TextField
        {...plain}
        label={AI_WORDS.approval}
        hint={AI_WORDS.approvalHint}
        value={approval}
        onChange={setApproval}
        inputMode="decimal"
        problem={isSubmitted && wrong.approval ? AI_WORDS.numberWrong : null}
      />
      <p className="panel-quiet">{AI_WORDS.keys}</p>
    </FormDialog>
  );
}

function useModels(sid: string): readonly string[] {
  const [models, setModels] = useState<readonly string[]>([]);
  useEffect(() => {
    let isUnmounted = false;
    readModels(sid).then(
      (names) => {
        if (!isUnmounted) setModels(names);
      },
      (error: unknown) => {
        // The names are only suggestions: a model can be entered without them.
        if (!(error instanceof RestError)) throw error;
      },
    );
    return () => {
      isUnmounted = true;
    };
  }, [sid]);
  return models;
}

function textOf(number: number | null): string {
  return number === null ? '' : String(number);
}

function numberOf(text: string): number | null {
  return text.trim() === '' ? null : Number(text);
}

function isNumber(text: string, whole: boolean): boolean {
  if (text.trim() === '') return true;
  const number = Number(text);
  return Number.isFinite(number) && number > 0 && (!whole || Number.isInteger(number));
}
