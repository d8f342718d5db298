-- Small words that show the language of a text, by Snowball's name: frequent in it, rare in most others.
SELECT language, unnest(string_split(words, ' ')) AS spelling
FROM (
    VALUES
        ('english', 'the and of to is it that for with on not was are this but be my we our you have has they at by from'),
        ('german', 'der das und ist nicht ein eine einen mit für auf dem den sich von zu auch wenn aber wir ich sie wird'),
        ('french', 'le les des et est une pour dans que qui sur pas avec ce il elle nous vous mais sont cette aux du'),
        ('spanish', 'el los las una que por para con es del más pero su como está esta son muy también lo'),
        ('portuguese', 'os uma que não com para em um mais mas por são isso foi ao pela pelo seu também está'),
        ('italian', 'il di che è una per non con sono gli della del nel più anche ma questo alla le dei'),
        ('dutch', 'het een van en niet dat op voor met zijn maar ook wordt naar aan bij ik wij deze'),
        ('swedish', 'och att det som är inte på med för av en ett till har men jag vi om kan så'),
        ('danish', 'og at det er ikke på med af en et til har men jeg vi kan så der som'),
        ('norwegian', 'og at det er ikke på med av en et til har men jeg vi kan så som'),
        ('finnish', 'ja on ei se että oli ovat mutta kun myös tämä sen kuin niin hän ole'),
        ('russian', 'и в не на что это как но по из он мы для так же от то за')
) AS languages (language, words)
