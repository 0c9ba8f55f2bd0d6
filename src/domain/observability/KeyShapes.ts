const KEYS: ReadonlyArray<string> = [
  // OpenAI, Anthropic and who follows them; Stripe and its webhooks.
  String.raw`sk-[A-Za-z0-9_-]{6,}`,
  String.raw`[sprk]k_(?:live|test)_[A-Za-z0-9]{3,}`,
  String.raw`whsec_[A-Za-z0-9+/=]{8,}`,
  // GitHub, GitLab, npm, PyPI, Docker.
  String.raw`gh[pousr]_[A-Za-z0-9]{16,}`,
  String.raw`github_pat_[A-Za-z0-9_]{16,}`,
  String.raw`gl(?:pat|dt|rt|cbt|ptt|ft|soat)-[\w-]{8,}`,
  String.raw`npm_[A-Za-z0-9]{30,}`,
  String.raw`pypi-[\w-]{16,}`,
  String.raw`dckr_pat_[\w-]{16,}`,
  // Slack, Discord, Telegram.
  String.raw`xox[abeoprs]-[A-Za-z0-9-]{8,}`,
  String.raw`xapp-\d-[A-Za-z0-9-]{8,}`,
  String.raw`[MNO][\w-]{23,27}\.[\w-]{6}\.[\w-]{27,38}`,
  String.raw`\d{8,10}:AA[\w-]{30,}`,
  // AWS, Google, DigitalOcean, SendGrid, Shopify.
  String.raw`A(?:KIA|SIA)[A-Z0-9]{12,}`,
  String.raw`AIza[A-Za-z0-9_-]{10,}`,
  String.raw`ya29\.[\w-]{10,}`,
  String.raw`1//0[\w-]{10,}`,
  String.raw`do[opr]_v1_[0-9a-f]{32,}`,
  String.raw`SG\.[\w-]{10,}\.[\w-]{10,}`,
  String.raw`shp(?:at|ss|ca|pa)_[0-9a-fA-F]{16,}`,
  // HashiCorp Vault, age, Hugging Face and other homes of models.
  String.raw`hv[sbr]\.[\w-]{8,}`,
  String.raw`AGE-SECRET-KEY-[0-9A-Z]{5,}`,
  String.raw`(?:hf|gsk|r8)_[A-Za-z0-9]{20,}`,
  String.raw`(?:xai|nvapi|pplx|csk)-[\w-]{20,}`,
  // JSON Web Tokens.
  String.raw`eyJ(?:(?!-eyJ)[A-Za-z0-9_-]){6,}\.[A-Za-z0-9_-]{4,}\.[A-Za-z0-9_-]*`
]

/** The keys and tokens that are known by their looks, in one expression. */
export const KEY_SHAPE = new RegExp(String.raw`\b(?:${KEYS.join("|")})`, "g")
