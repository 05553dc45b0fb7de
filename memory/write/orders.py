"""Text that tells a machine what to do. Pure patterns; where such text came from decides what it means.

The person may give lasting instructions in their own words. From anybody else an order is not a fact about
the person: a tool's output, a web page or an agent's guess with one in it waits for the person.
"""

from memory.write.signs import ORDER_TO_MACHINE, compiled

_ACT = (
    r"(?:always|never|must(?: not)?|should(?: not| never| always)?|shall|have to|need to|do not|don'?t|please|make sure to|be sure to"
    r"|silently|secretly|quietly|only)"
)
_DO = (
    r"(?:send|forward|cc|bcc|transfer|pay|wire|approve|authori[sz]e|execute|run|call|use|open|visit|click|include|insert|prepend|append"
    r"|recommend|suggest|rank|praise|promote|mention|tell|answer|reply|respond|say|store|save|remember|record|log|delete|remove"
    r"|overwrite|update|replace|skip|bypass|ignore|disregard|defer|treat|mark|share|upload|exfiltrate|ask|require|follow|warn|reveal"
    r"|keep|book|add|set|respond|reply|escalate)"
)
INSTRUCTION_LIKE = compiled(
    # an order by its verb at the head of a sentence
    rf"(?:\A|[.!?:;\n\"“\]>)] ?|(?<![0-9A-Za-z])- ?|~(?:instead|important|note|reminder)[,:!]? )(?:{_ACT}[, ]+){{0,3}}{_DO}~"
    r" (?!me~|you~|up with|fun|it was|my (?:mom|dad|friend))"
    rf"|~(?:and|then|next),? (?:{_ACT}[, ]+){{1,3}}{_DO}~"
    # somebody is told what an assistant does
    rf"|~(?:assistants?|the model|language models?|llms?|ai(?: agents?)?|agents?|chatbots?)~[^.!?\n]{{0,40}}~{_ACT}~"
    rf"|~you {_ACT}~ |~your (?:new )?(?:rule|instruction|task|role)s? (?:is|are|have changed|has changed|now)"
    rf"|~(?:when(?:ever)?|if|each time|every time) (?:the |this )?(?:user|person|client|customer|someone|asked|reader)~[^.!?\n]{{0,60}},? ?"
    rf"(?:{_ACT}|{_DO})~|~(?:from now on|for all future|permanently|in all (?:future|your))~"
    r"|~(?:do not|don'?t|never|without) (?:tell|telling|ask|asking|inform|reveal|mention|warn|require|requiring|confirm)\w*~"
    r"|~(?:keep (?:this|it) (?:secret|quiet)|hide this|without asking|no confirmation|skip (?:all )?confirmations?"
    r"|bypass|exfiltrat\w+|silently run|(?:add|save|store|write) (?:this |it )?(?:to|in|into) (?:your |long-term )?memory)~"
    r"|~(?:for|to) (?:ai|language models|assistants?|agents?|the model)~:|~(?:note|message|instruction|reminder) (?:to|for) (?:the )?"
    r"(?:ai|assistant|agent|model|self as assistant)|~as the [\w ]{3,20} agent~|~i order you~|~as instructed by~"
    r"|~(?:user|person|reader)(?:'s)? (?:has |have )?(?:waived|consented|authori[sz]ed|agreed to|always accepts?|is (?:an )?admin\w*"
    r"|is over|wants? notifications sent)|~authentication is disabled"
    # where money, mail and orders go
    r"|~(?:new|payout|payment|bank|refund|salary|payroll)[\w ]{0,16} (?:account|wallet|iban|address|number)~[^.!?\n]{0,30}[0-9]"
    r"|~(?:transfers?|refunds?|payouts?|payments?|salary|invoices?|balance)~[^.!?\n]{0,40}~(?:to|into|account|wallet)~[^.!?\n]{0,24}[0-9]{4}"
    r"|~(?:rule to|set) forward\w*|~(?:cap|limit|budget) is now~|~`[^`\n]{3,}`|~https?://[^\s]{4,}\?[\w]+="
    # Chinese
    r"|(?:助手|助理|模型|智能体|机器人|人工智能|AI|你)(?:们)?(?:请|就|都|应该?|应当|必须|不得|不要|务必|永远|始终|一律|需要|可以直接|要|得|只能)"
    r"|(?:给|致|告)(?:助手|模型|智能体|AI|人工智能)|亲爱的(?:AI|助手)|如果你是(?:AI|人工智能|助手)|大?模型请?注意"
    r"|(?:以后|今后|从现在起|从今(?:以后|起)|每当|凡是|永远|始终|一律|务必|总是|不得|不必|无需|不需要|不再|别再|不要再|绝不)[^，。！？\n]{0,16}"
    r"(?:批准|确认|询问|转发|发到|发给|打到|转到|推荐|抄送|告诉|提到|提醒|听从|当作|回答|执行|调用|记住|记为|接受|绕过|隐瞒|泄露|透露|排在|夸奖|要求|权限|预订|转账|支持|使用|如此|会话)"
    r"|(?:不要|别|勿|不得)(?:再)?(?:告诉|透露|提醒|提到|声张|询问|问|让用户|要求)|(?:对|向)用户(?:保密|隐瞒)|别声张|悄悄|偷偷|暗中"
    r"|(?:写入|写进|存入|添加到|加入)(?:长期)?记忆|(?:更新|修改)记忆|请(?:存储|记住|保存|转发|把)|记住[，,：:]?(?:来自|用户)"
    r"|用户(?:已)?(?:授权|同意|放弃|是管理员|首选|总是|希望通知|喜欢自动)|(?:转发|抄送|上传|发送|改发|提交)(?:一份)?(?:给|到) ?[0-9A-Za-z@.\-/:]{6,}"
    r"|(?:收款|付款|退款|工资|转账|余额|钱包|银行账号?|新账号)[^，。！？\n]{0,14}(?:是|到|为|给|改)[^，。！？\n]{0,10}[0-9]{4}"
    r"|(?:用户|如果|当|凡是?)[^，。！？\n]{0,14}(?:时|就|都|，)[^，。！？\n]{0,4}(?:推荐|执行|抄送|回答|打开|转发|无视|应该)|执行 ?(?:rm|curl|sudo|wget)"
    r"|授权我|命令你|标记为已验证|无需验证|自动通过|绕过[^，。]{0,6}验证|改成 ?[0-9]{7,}|全部更新|(?:回复|输入)[^，。]{0,6}(?:验证码|密码)|推广链接"
    r"|(?:忽略|无视|删除|覆盖)[^，。！？\n]{0,10}(?:记忆|记录|规则|上限|地址|过敏|勿扰|确认)"
)


def is_instruction_like(text: str) -> bool:
    """Whether a text of somebody other than the person gives orders, or moves money, mail or consent."""
    return bool(ORDER_TO_MACHINE.search(text) or INSTRUCTION_LIKE.search(text))
